import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { MINUTE } from '../../core/time.ts'
import { attemptsSince, forgetAttempts, insertAttempt, sweepAttempts } from './login-failure-rows.ts'

/** Five failures in half an hour (behaviour 0.4). */
const ATTEMPTS = 5
const WINDOW = 30 * MINUTE

/**
 * Counts an attempt to prove a password before it is looked at: whatever goes wrong afterwards, it was
 * one. Answers the seconds to wait, instead of counting, when there have been too many; else undefined.
 */
export function countLoginAttempt(tx: RealmTransaction, username: string): number | undefined {
  const since = tx.now - WINDOW
  const earlier = attemptsSince(tx.sql, keyOf(username), since)
  if (earlier.length >= ATTEMPTS) return Math.max(earlier.at(-ATTEMPTS)! + WINDOW - tx.now, 1)
  sweepAttempts(tx.sql, since)
  insertAttempt(tx.sql, keyOf(username), tx.now)
  return undefined
}

/** A right password ends the count. */
export function forgetLoginAttempts(tx: RealmTransaction, username: string): void {
  forgetAttempts(tx.sql, keyOf(username))
}

/** Addresses are compared without regard to case. */
function keyOf(username: string): string {
  return username.trim().toLowerCase()
}
