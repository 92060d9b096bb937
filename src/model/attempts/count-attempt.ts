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
  /** Seconds after which no row of the table counts any more, whatever the limits. */
  readonly keptSeconds?: number
}

/**
 * Counts an attempt in storage, since an eviction must not allow new ones. When there were too many, it does not count but
 * returns the seconds to wait. An attempt of several owners counts for all of them or for none.
 */
export function countAttempt(tx: RealmTransaction, ...attempts: readonly Attempt[]): number | undefined {
  const wait = Math.max(0, ...attempts.map((attempt) => waitFor(tx, attempt)))
  // Stored times are whole seconds.
  if (wait > 0) return Math.max(wait, 1)
  sweep(tx, attempts)
  for (const { table, owner } of attempts) insertAttempt(tx.sql, table, owner, tx.now)
  return undefined
}

/** Returns the seconds until another attempt would be within the limits; 0 if it would be now. */
export function waitFor({ sql, now }: RealmReads, { table, owner, limits }: Attempt): number {
  const earlier = attemptsWithin(sql, table, owner, { seconds: longestWindow(limits), now })
  return secondsToWait(earlier, limits, now)
}

/** Deletes rows that no longer count, once for each table: hundreds of attempts may be counted together. */
function sweep(tx: RealmTransaction, attempts: readonly Attempt[]): void {
  for (const [table, of] of Map.groupBy(attempts, ({ table }) => table)) {
    const kept = of.map(({ limits, keptSeconds = longestWindow(limits) }) => keptSeconds)
    sweepAttempts(tx.sql, table, tx.now - Math.max(...kept), { inserted: of.length })
  }
}
