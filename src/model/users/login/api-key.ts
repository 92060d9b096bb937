import { createHash } from 'node:crypto'
import type { RealmReads } from '../../../core/realm-transaction.ts'

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
