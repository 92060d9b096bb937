import { createHash } from 'node:crypto'
import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { deletePendingApiKey } from '../../../store/users/login/login-ticket-rows.ts'
import { changeUser, type User } from '../../../store/users/user-rows.ts'
import { announceBotChange } from '../../bots/announce-bot.ts'
import { dropPhones } from '../../push/settle-devices.ts'
import { endPolls } from './end-sessions.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Makes a key of 32 alphanumerics, about 190 bits; clients rely on the length
 * (docs/interface/login.md#a-new-key).
 */
export function newApiKey(tx: Pick<RealmReads, 'randomHex'>): string {
  let key = ''
  while (key.length < 32) {
    const byte = Number.parseInt(tx.randomHex(1), 16)
    // 248 is the largest multiple of 62 in a byte: with higher values the first letters would be likelier.
    if (byte < 248) key += ALPHABET[byte % ALPHABET.length]
  }
  return key
}

/** Returns lower-case hex SHA-256, which D1 stores of a key. */
export function digestOfApiKey(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex')
}

/** Gives an account a new key, which it returns, and notifies a bot's owner and administrators. */
export function changeApiKey(tx: RealmTransaction, user: User, apiKey = newApiKey(tx)): string {
  replaceApiKey(tx, user, apiKey)
  announceBotChange(tx, user, { api_key: apiKey })
  return apiKey
}

/**
 * Replaces an API key without an event of it or a mail. The old key is invalid at once, and polls that came
 * with it end; a pending key that was not used is invalid too. Apps are logged out with it, and get no
 * notification any more.
 */
export function replaceApiKey(tx: RealmTransaction, user: User, apiKey = newApiKey(tx)): string {
  changeUser(tx.sql, user.id, { apiKey })
  deletePendingApiKey(tx.sql, user.id)
  tx.writeToD1({ statement: 'delete-api-key-digest', row: [digestOfApiKey(user.apiKey)] })
  tx.writeToD1({ statement: 'insert-api-key-digest', row: [digestOfApiKey(apiKey)] })
  endPolls(tx, user.id)
  if (user.botType === null) dropPhones(tx, user.id)
  return apiKey
}
