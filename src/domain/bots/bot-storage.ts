import type { Command, ReadCommand } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { deleteStorage, putStorage, readStorage } from './bot-storage-rows.ts'

/** Length of a bot's storage: characters of keys and values together. */
const LIMIT = 1_000_000

interface Keys {
  /** Absent: all of them. */
  readonly keys?: readonly string[]
}

/** Gets the values that the caller has stored here. Source: docs/interface/bots.md#storage. */
export const getBotStorage: ReadCommand<Caller, Keys, void, { storage: Record<string, string> }> = {
  reads: true,
  apply({ sql }, { user }, { keys }) {
    const stored = readStorage(sql, user.id)
    return { storage: Object.fromEntries(requireKeys(stored, keys).map((key) => [key, stored.get(key)!])) }
  },
}

/** Stores values under keys, replacing earlier ones. */
export const updateBotStorage: Command<
  Caller,
  { readonly storage: Readonly<Record<string, string>> },
  void,
  object
> = {
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
    return {}
  },
}

export const removeBotStorage: Command<Caller, Keys, void, object> = {
  apply({ sql }, { user }, { keys }) {
    for (const key of requireKeys(readStorage(sql, user.id), keys)) deleteStorage(sql, user.id, key)
    return {}
  },
}

function requireKeys(stored: ReadonlyMap<string, string>, keys?: readonly string[]): string[] {
  if (keys === undefined) return [...stored.keys()]
  if (keys.some((key) => !stored.has(key))) throw new BadRequestError('Key does not exist.')
  return [...keys]
}
