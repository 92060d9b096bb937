import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { MINUTE } from '../../core/time.ts'
import { readMeta, writeMeta } from '../meta-rows.ts'

/** Seconds for which a temporary address works (docs/interface/uploads.md#read-a-file). */
const VALID_SECONDS = MINUTE

const TOKEN = /^(\d{1,15})-(\d{1,15})-([0-9a-f]{64})$/

/**
 * Makes a token that opens an upload without credentials for a minute: its id, the end of the minute, and a
 * signature.
 */
export function signTemporaryToken(tx: RealmTransaction, attachmentId: number): string {
  const claim = `${attachmentId}-${Math.floor(tx.now) + VALID_SECONDS}`
  return `${claim}-${signature(secretOf(tx), claim)}`
}

/** Returns the upload that a token opens now; undefined when it is not ours, or too old. */
export function readTemporaryToken(tx: RealmTransaction, token: string): number | undefined {
  const [, id, until, signed] = TOKEN.exec(token) ?? []
  if (id === undefined || until === undefined || signed === undefined) return undefined
  const expected = signature(secretOf(tx), `${id}-${until}`)
  if (!timingSafeEqual(Buffer.from(signed), Buffer.from(expected))) return undefined
  return tx.now < Number(until) ? Number(id) : undefined
}

function signature(secret: string, claim: string): string {
  return createHmac('sha256', secret).update(claim).digest('hex')
}

/** Returns the secret with which tokens are signed: made when it is first needed, and never given away. */
function secretOf(tx: RealmTransaction): string {
  const known = readMeta<string>(tx.sql, 'upload_secret')
  if (known !== undefined) return known
  const secret = tx.randomHex(32)
  writeMeta(tx.sql, 'upload_secret', secret)
  return secret
}
