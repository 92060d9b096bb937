import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { MINUTE } from '../../core/time.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { spendChallenge } from '../../store/second-factors/spent-challenge-rows.ts'

/** What a passkey is asked for. An answer is good for nothing else. */
export type ChallengePurpose = 'log in' | 'second factor' | 'add' | 'prove'

const GOOD_FOR_SECONDS = 5 * MINUTE
const NONCE_BYTES = 16
const FORM = /^(\d{1,12})\.([0-9a-f]{32})\.([0-9a-f]{64})$/

/**
 * Returns a challenge for a passkey, in base64url as browsers take it. It is signed and not stored, so that strangers who ask for thousands
 * fill nothing. `userId`: whose passkey it must be; null where anybody's is good.
 */
export function newChallenge(tx: RealmTransaction, purpose: ChallengePurpose, userId: number | null): string {
  const useBefore = Math.floor(tx.now) + GOOD_FOR_SECONDS
  const nonce = tx.randomHex(NONCE_BYTES)
  const signed = signature(tx, { purpose, userId, useBefore, nonce })
  return Buffer.from(`${useBefore}.${nonce}.${signed}`).toString('base64url')
}

/**
 * Uses a challenge up that a passkey has answered.
 * @throws BadRequestError when it is not ours, was for another purpose or user, is too old, or was answered before
 */
export function requireChallenge(
  tx: RealmTransaction,
  challenge: string,
  purpose: ChallengePurpose,
  userId: number | null,
): void {
  const [, until = '', nonce = '', signed = ''] =
    FORM.exec(Buffer.from(challenge, 'base64url').toString()) ?? []
  const useBefore = Number(until)
  const expected = signature(tx, { purpose, userId, useBefore, nonce })
  const isOurs = signed !== '' && timingSafeEqual(Buffer.from(signed), Buffer.from(expected))
  if (!isOurs || useBefore <= tx.now || !spendChallenge(tx.sql, { nonce, useBefore }, tx.now)) {
    throw new BadRequestError('That took too long, or was done already. Try again.')
  }
}

interface Signed {
  readonly purpose: ChallengePurpose
  readonly userId: number | null
  readonly useBefore: number
  readonly nonce: string
}

function signature(tx: RealmTransaction, { purpose, userId, useBefore, nonce }: Signed): string {
  const text = `${purpose}:${userId ?? ''}:${useBefore}:${nonce}`
  return createHmac('sha256', secretOf(tx)).update(text).digest('hex')
}

/** Returns the secret with which challenges are signed: made when it is first needed, and never given away. */
function secretOf(tx: RealmTransaction): string {
  const known = readMeta<string>(tx.sql, 'challenge_secret')
  if (known !== undefined) return known
  const secret = tx.randomHex(32)
  writeMeta(tx.sql, 'challenge_secret', secret)
  return secret
}
