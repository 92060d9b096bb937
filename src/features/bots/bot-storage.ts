import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH, VALUE_LENGTH } from '../../api/input-limits.ts'
import { json, listUpTo, mapUpTo, textUpTo } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { deleteStorage, putStorage, readStorage } from '../../store/bots/bot-setting-rows.ts'

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
  command: { reads: true, apply: getBotStorage },
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
  command: { apply: updateBotStorage },
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
  command: { apply: removeBotStorage },
  audit: 'own',
})

/** Length of a bot's storage: characters of keys and values together. */
const LIMIT = 1_000_000

interface Keys {
  /** Absent: all of them. */
  readonly keys?: readonly string[]
}

/** Gets the values that the caller has stored here. Source: docs/interface/bots.md#storage. */
function getBotStorage(
  { sql }: RealmReads,
  { user }: Caller,
  { keys }: Keys,
): { storage: Record<string, string> } {
  const stored = readStorage(sql, user.id)
  return { storage: Object.fromEntries(requireKeys(stored, keys).map((key) => [key, stored.get(key)!])) }
}

/** Stores values under keys, replacing earlier ones. */
function updateBotStorage(
  { sql }: RealmTransaction,
  caller: Caller,
  { storage }: { readonly storage: Readonly<Record<string, string>> },
): object {
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
  return {}
}

function removeBotStorage({ sql }: RealmTransaction, { user }: Caller, { keys }: Keys): object {
  for (const key of requireKeys(readStorage(sql, user.id), keys)) deleteStorage(sql, user.id, key)
  return {}
}

function requireKeys(stored: ReadonlyMap<string, string>, keys?: readonly string[]): string[] {
  if (keys === undefined) return [...stored.keys()]
  if (keys.some((key) => !stored.has(key))) throw new BadRequestError('Key does not exist.')
  return [...keys]
}
