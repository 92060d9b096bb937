import { type RequestSource, rateLimitsOf } from '../../core/call.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { deleteAttempts } from '../attempts/attempt-rows.ts'
import { countAttempt } from '../attempts/count-attempt.ts'

const TABLE = 'login_failure'

/**
 * Counts an attempt to prove a password before it is looked at: whatever goes wrong afterwards, it was
 * one. It is counted also where the limits of requests are switched off. Answers the seconds to wait, instead
 * of counting, when there have been too many; else undefined. Source: behaviour 0.4.
 */
export function countLoginAttempt(
  tx: RealmTransaction,
  source: RequestSource,
  username: string,
): number | undefined {
  return countAttempt(tx, { table: TABLE, owner: keyOf(username), limits: rateLimitsOf(source).logins })
}

/** A right password ends the count. */
export function forgetLoginAttempts(tx: RealmTransaction, username: string): void {
  deleteAttempts(tx.sql, TABLE, keyOf(username))
}

/** Addresses are compared without regard to case. */
function keyOf(username: string): string {
  return username.trim().toLowerCase()
}
