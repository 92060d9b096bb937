import { longestWindow, type RateLimit, secondsToWait } from '../../core/rate-limits.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import {
  type AttemptTable,
  attemptsWithin,
  insertAttempt,
  sweepAttempts,
} from '../../store/attempts/attempt-rows.ts'

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
  const wait = Math.max(0, ...attempts.map((attempt) => waitFor(tx, attempt)))
  // Stored times are whole seconds.
  if (wait > 0) return Math.max(wait, 1)
  sweep(tx, attempts)
  for (const { table, owner } of attempts) insertAttempt(tx.sql, table, owner, tx.now)
  return undefined
}

/** Returns the seconds after which one more attempt would be within its limits; 0 if it is now. */
export function waitFor({ sql, now }: RealmReads, { table, owner, limits }: Attempt): number {
  const earlier = attemptsWithin(sql, table, owner, { seconds: longestWindow(limits), now })
  return secondsToWait(earlier, limits, now)
}

/** Deletes rows that no longer count, of each table once: hundreds of attempts may be counted together. */
function sweep(tx: RealmTransaction, attempts: readonly Attempt[]): void {
  for (const [table, of] of Map.groupBy(attempts, ({ table }) => table)) {
    const kept = of.map(({ limits, keptSeconds = longestWindow(limits) }) => keptSeconds)
    sweepAttempts(tx.sql, table, tx.now - Math.max(...kept), { inserted: of.length })
  }
}
