import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH, VALUE_LENGTH } from '../../api/input-limits.ts'
import { described, json, listUpTo, mapUpTo, textUpTo } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { deleteStorage, putStorage, readStorage } from '../../store/bots/bot-setting-rows.ts'

/** Limit of a request's JSON, above LIMIT, so that the quota's own refusal is reached. */
const STORAGE_LENGTH = 2_000_000

const keys = v.optional(
  described(json(listUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(VALUE_LENGTH))), 'By default all keys.'),
)

/** Gets the caller's stored values. Source: docs/interface/bots.md#storage. */
export const getBotStorageEndpoint = defineEndpoint({
  operation: 'get-bot-storage',
  route: 'GET /bot_storage',
  access: 'bot',
  params: { keys },
  returns: v.object({ storage: v.record(v.string(), v.string()) }),
  query({ sql }, { user }, { keys }) {
    const stored = readStorage(sql, user.id)
    return { storage: Object.fromEntries(requireKeys(stored, keys).map((key) => [key, stored.get(key)!])) }
  },
})

/** Stores values under keys, replacing earlier ones. */
export const updateBotStorageEndpoint = defineEndpoint({
  operation: 'update-bot-storage',
  route: 'PUT /bot_storage',
  access: 'bot',
  growsObject: true,
  params: {
    storage: json(
      mapUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(VALUE_LENGTH), textUpTo(STORAGE_LENGTH)),
      STORAGE_LENGTH,
    ),
  },
  apply({ sql }, caller, { storage }) {
    const { user } = caller
    const all = new Map([...readStorage(sql, user.id), ...Object.entries(storage)])
    const excess = [...all].reduce((sum, [key, value]) => sum + key.length + value.length, 0) - LIMIT
    if (excess > 0) {
      throw new BadRequestError(
        `Request exceeds storage limit by ${excess} characters. The limit is ${LIMIT} characters per user.`,
      )
    }
    withinQuota({ sql }, caller, 'botStorage', () => {
      for (const [key, value] of Object.entries(storage)) putStorage(sql, user.id, key, value)
    })
  },
  audit: 'own',
})

/** Deletes the values of these keys. */
export const removeBotStorageEndpoint = defineEndpoint({
  operation: 'remove-bot-storage',
  route: 'DELETE /bot_storage',
  access: 'bot',
  params: { keys },
  apply({ sql }, { user }, { keys }) {
    for (const key of requireKeys(readStorage(sql, user.id), keys)) deleteStorage(sql, user.id, key)
  },
  audit: 'own',
})

/** Limit of a bot's storage: characters of keys and values together. */
const LIMIT = 1_000_000

function requireKeys(stored: ReadonlyMap<string, string>, keys?: readonly string[]): string[] {
  if (keys === undefined) return [...stored.keys()]
  if (keys.some((key) => !stored.has(key))) throw new BadRequestError('Key does not exist.')
  return [...keys]
}
