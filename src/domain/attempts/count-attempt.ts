import { longestWindow, type RateLimit, secondsToWait } from '../../core/rate-limits.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { type AttemptTable, attemptsWithin, insertAttempt, sweepAttempts } from './attempt-rows.ts'

export interface Attempt {
  readonly table: AttemptTable
  /** The person or network whose attempts are counted. */
  readonly owner: string
  readonly limits: readonly RateLimit[]
  /** Seconds after which no row of the table counts any more, whatever its limits. */
  readonly keptSeconds?: number
}

/**
 * Counts an attempt, in storage, since an eviction must not give new ones. When there have been too many it
 * returns the seconds to wait, without counting; else undefined. An attempt of several owners counts for all
 * of them or for none.
 */
export function countAttempt(tx: RealmTransaction, ...attempts: readonly Attempt[]): number | undefined {
  const waits = attempts.map(({ table, owner, limits }) => {
    const earlier = attemptsWithin(tx.sql, table, owner, {
      seconds: longestWindow(limits),
      now: tx.now,
    })
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
