import { RateLimitHitError } from '../../core/errors.ts'
import { MINUTE } from '../../core/time.ts'

/**
 * Rows that all readers without an account together may make an organization's object read: this number a
 * minute, and as many at once after a rest. That is less than a twentieth of the object's time. Each call counts as
 * `ofACall` rows at least.
 */
export const ROWS_FOR_SPECTATORS = { aMinute: 2_000_000, ofACall: 1_000 } as const

const ROWS_A_SECOND = ROWS_FOR_SPECTATORS.aMinute / MINUTE

/**
 * The share of the object's work for readers without an account, all addresses together: a crowd of them, or
 * one reader with many addresses, takes nothing from the organization's own people. In memory: an eviction
 * restores it.
 */
export class SpectatorAllowance {
  #rows: number = ROWS_FOR_SPECTATORS.aMinute
  #at = 0

  /**
   * `now` in UNIX seconds.
   * @throws RateLimitHitError (429) when it is used up.
   */
  requireSome(now: number): void {
    this.#fill(now)
    if (this.#rows <= 0)
      throw new RateLimitHitError((ROWS_FOR_SPECTATORS.ofACall - this.#rows) / ROWS_A_SECOND)
  }

  /** Deducts the cost of a call when it is over. */
  take(rows: number, now: number): void {
    this.#fill(now)
    this.#rows -= Math.max(rows, ROWS_FOR_SPECTATORS.ofACall)
  }

  /** A clock that is set back adds nothing; the budget fills from then on. */
  #fill(now: number): void {
    const filled = this.#rows + Math.max(now - this.#at, 0) * ROWS_A_SECOND
    this.#rows = Math.min(filled, ROWS_FOR_SPECTATORS.aMinute)
    this.#at = now
  }
}
