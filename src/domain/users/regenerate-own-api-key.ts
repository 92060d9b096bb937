import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { digestOfApiKey, newApiKey } from './api-key.ts'
import { changeUser } from './user-rows.ts'

/** A new key for the caller; the old one is worth nothing at once. Source: core-endpoints 21. */
export const regenerateOwnApiKey: Command<Caller, unknown, void, { api_key: string }> = {
  apply(tx, { user }) {
    const apiKey = newApiKey(tx)
    changeUser(tx.sql, user.id, { apiKey })
    tx.writeToD1({ statement: 'delete-api-key-digest', row: [digestOfApiKey(user.apiKey)] })
    tx.writeToD1({ statement: 'insert-api-key-digest', row: [digestOfApiKey(apiKey)] })
    return { api_key: apiKey }
  },
}
