import * as v from 'valibot'
import { getBotStorage, removeBotStorage, updateBotStorage } from '../../domain/bots/bot-storage.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH, VALUE_LENGTH } from '../input-limits.ts'
import { json, listUpTo, mapUpTo, textUpTo } from '../parameter-types.ts'

/** Length of one bot's keys and values together, with room for the quota's own refusal. */
const STORAGE_LENGTH = 2_000_000

const keys = v.optional(
  v.pipe(
    json(listUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(VALUE_LENGTH))),
    v.description('By default all keys.'),
  ),
)

/** Gets the values that a bot has stored here. Source: docs/interface/bots.md#storage. */
export const getBotStorageEndpoint = defineEndpoint({
  operation: 'get-bot-storage',
  method: 'GET',
  path: '/bot_storage',
  access: 'bot',
  params: { keys },
  returns: v.object({ storage: v.record(v.string(), v.string()) }),
  command: getBotStorage,
})

/** Stores texts under keys. */
export const updateBotStorageEndpoint = defineEndpoint({
  operation: 'update-bot-storage',
  method: 'PUT',
  path: '/bot_storage',
  access: 'bot',
  growsObject: true,
  params: {
    storage: json(
      mapUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(VALUE_LENGTH), textUpTo(STORAGE_LENGTH)),
      STORAGE_LENGTH,
    ),
  },
  returns: v.object({}),
  command: updateBotStorage,
  audit: 'own',
})

/** Deletes the values under these keys. */
export const removeBotStorageEndpoint = defineEndpoint({
  operation: 'remove-bot-storage',
  method: 'DELETE',
  path: '/bot_storage',
  access: 'bot',
  params: { keys },
  returns: v.object({}),
  command: removeBotStorage,
  audit: 'own',
})
