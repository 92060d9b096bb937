import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { RealmIdentity, RealmTransaction } from '../../core/realm-transaction.ts'
import { replaceRecoveryCodes, useRecoveryCode } from '../../store/second-factors/recovery-code-rows.ts'

const CODES = 10
/** Letters that nobody takes for another: 32 of them, five bits each. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const LETTERS = 12

/** Gives an account ten new codes, of 60 bits each, in the place of its earlier ones, and returns them: only digests are stored. */
export function renewRecoveryCodes(tx: RealmTransaction, userId: number): string[] {
  const codes = Array.from({ length: CODES }, () => newCode(tx))
  replaceRecoveryCodes(
    tx.sql,
    userId,
    codes.map((code) => digestOf(tx.realm, userId, code)),
  )
  return codes
}

/** Uses a code up; false when it is none of the account's. It may be written in capitals, and without hyphens. */
export function spendRecoveryCode(tx: RealmTransaction, userId: number, entered: string): boolean {
  return useRecoveryCode(tx.sql, userId, digestOf(tx.realm, userId, entered))
}

function newCode(tx: RealmTransaction): string {
  const bytes = Buffer.from(tx.randomHex(LETTERS), 'hex')
  const letters = [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return letters.match(/.{4}/g)!.join('-')
}

/** An account's own digest, so that one search does not try all accounts at once. */
function digestOf({ id }: RealmIdentity, userId: number, code: string): string {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return createHash('sha256').update(`recovery code ${id} ${userId} ${letters}`).digest('hex')
}
