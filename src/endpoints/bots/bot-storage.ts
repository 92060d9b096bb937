import * as v from 'valibot'
import { getBotStorage, removeBotStorage, updateBotStorage } from '../../domain/bots/bot-storage.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { dict, json, jsonTexts } from '../parameter-types.ts'

const keys = v.optional(v.pipe(jsonTexts, v.description('All of them when left out.')))

/** What a bot has kept here. Source: core-endpoints 23. */
export const getBotStorageEndpoint = defineEndpoint({
  operation: 'get-bot-storage',
  method: 'GET',
  path: '/bot_storage',
  access: 'user',
  params: { keys },
  returns: v.object({ storage: v.record(v.string(), v.string()) }),
  command: getBotStorage,
})

/** Keeps texts under keys. */
export const updateBotStorageEndpoint = defineEndpoint({
  operation: 'update-bot-storage',
  method: 'PUT',
  path: '/bot_storage',
  access: 'user',
  params: { storage: json(dict(v.record(v.string(), v.string()))) },
  returns: v.object({}),
  command: updateBotStorage,
})

/** Forgets what is kept under keys. */
export const removeBotStorageEndpoint = defineEndpoint({
  operation: 'remove-bot-storage',
  method: 'DELETE',
  path: '/bot_storage',
  access: 'user',
  params: { keys },
  returns: v.object({}),
  command: removeBotStorage,
})
