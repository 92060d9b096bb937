import { createHash } from 'node:crypto'
import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { closeConfirmations } from '../../../store/confirmations/confirmation-rows.ts'
import { deletePendingApiKey } from '../../../store/users/login/login-ticket-rows.ts'
import { changeUser, type User } from '../../../store/users/user-rows.ts'
import { announceBotKey } from '../../bots/announce-bot.ts'
import { dropPhones } from '../../push/prune-devices.ts'
import { endPolls } from '../../users/login/sessions.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Makes a key of 32 alphanumerics, about 190 bits; clients rely on the length (docs/interface/login.md#a-new-key). */
export function newApiKey(tx: Pick<RealmReads, 'randomHex'>): string {
  let key = ''
  while (key.length < 32) {
    const byte = Number.parseInt(tx.randomHex(1), 16)
    // 248 is the largest multiple of 62 in a byte: higher values would make the first letters likelier.
    if (byte < 248) key += ALPHABET[byte % ALPHABET.length]
  }
  return key
}

/** Returns the digest under which D1 knows a key: SHA-256, in lower-case hex. */
export function digestOfApiKey(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex')
}

/** Gives an account a new key, which is returned, and notifies a bot's owner. */
export function changeApiKey(tx: RealmTransaction, user: User, apiKey = newApiKey(tx)): string {
  replaceApiKey(tx, user, apiKey)
  announceBotKey(tx, user, apiKey)
  return apiKey
}

/** Replaces an API key without an event or a mail. Apps are logged out: keys, polls and registrations end at once, and so does a requested change of address. */
export function replaceApiKey(tx: RealmTransaction, user: User, apiKey = newApiKey(tx)): string {
  changeUser(tx.sql, user.id, { apiKey })
  deletePendingApiKey(tx.sql, user.id)
  // One that a thief of the old key has requested would give them the account later.
  closeConfirmations(tx.sql, user.id, 'email-change')
  endPolls(tx, user.id)
  if (user.botType === null) dropPhones(tx, user.id)
  return apiKey
}
