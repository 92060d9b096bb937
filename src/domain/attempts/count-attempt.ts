import { longestWindow, type RateLimit, secondsToWait } from '../../core/rate-limits.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { type AttemptTable, attemptsSince, insertAttempt, sweepAttempts } from './attempt-rows.ts'

export interface Attempt {
  readonly table: AttemptTable
  /** The person or network that attempts are counted for. */
  readonly owner: string
  readonly limits: readonly RateLimit[]
  /** Seconds after which no row of the table counts any more, whatever limits it was counted for. */
  readonly keptSeconds?: number
}

/**
 * Counts an attempt, in storage: an eviction must not give new ones. Answers the seconds to wait, instead of
 * counting, when there have been too many; else undefined. One that is counted for several owners is counted for
 * all of them or for none.
 */
export function countAttempt(tx: RealmTransaction, ...attempts: readonly Attempt[]): number | undefined {
  const waits = attempts.map(({ table, owner, limits }) => {
    const earlier = attemptsSince(tx.sql, table, owner, tx.now - longestWindow(limits))
    return secondsToWait(earlier, limits, tx.now)
  })
  const wait = Math.max(...waits)
  // Stored times are whole seconds.
  if (wait > 0) return Math.max(wait, 1)
  for (const { table, owner, limits, keptSeconds = longestWindow(limits) } of attempts) {
    sweepAttempts(tx.sql, table, tx.now - keptSeconds)
    insertAttempt(tx.sql, table, owner, tx.now)
  }
  return undefined
}
