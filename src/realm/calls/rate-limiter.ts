import { COUNTED_KEPT } from '../../core/budgets.ts'
import type { RateLimitState } from '../../core/call.ts'
import { RateLimitHitError } from '../../core/errors.ts'
import {
  countAfter,
  longestWindow,
  type RateLimit,
  type RateLimitBucket,
  secondsToWait,
} from '../../core/rate-limits.ts'
import { MINUTE, OVERTAKEN_SECONDS } from '../../core/time.ts'

/** Seconds between two sweeps of unused buckets. */
const SWEEP_SECONDS = 60

interface Window {
  /** UNIX seconds, ascending. */
  readonly times: number[]
  /** When none of the times counts any more. */
  readonly over: number
}

/**
 * Sliding windows in memory; refused requests do not count. An eviction, which takes ten idle seconds, loses them. Counts that must last,
 * such as failed log-ins, are in storage.
 */
export class RateLimiter {
  /** Windows, the last counted one at the end. */
  readonly #windows = new Map<string, Window>()
  #times = 0
  #sweptAt = 0

  get size(): number {
    return this.#windows.size
  }

  /** Number of remembered requests in all of them. */
  get remembered(): number {
    return this.#times
  }

  /** Counts one request. `now` in UNIX seconds. @throws BlockedRequest (429) when the bucket is full. */
  count(
    bucket: RateLimitBucket,
    key: string | number,
    limits: readonly RateLimit[],
    now: number,
  ): RateLimitState {
    const windowKey = `${bucket}:${key}`
    const seconds = longestWindow(limits)
    const times = this.#recent(windowKey, now - seconds, now)
    const wait = secondsToWait(times, limits, now)
    if (wait > 0) throw new BlockedRequest(wait, stateOf(times, limits, now))
    this.#forget(windowKey)
    times.push(now)
    this.#windows.set(windowKey, { times, over: now + seconds })
    this.#times += times.length
    this.#sweep(now)
    this.#keepWithin()
    return stateOf(times, limits, now)
  }

  /**
   * Returns the times of a window after `since`, and deletes the others in place, since a window may have thousands. Times well after
   * `now` are of a clock that has been set back since, and would count for longer than the window.
   */
  #recent(key: string, since: number, now: number): number[] {
    const times = this.#windows.get(key)?.times ?? []
    const before = times.length
    times.splice(0, before - countAfter(times, since))
    times.length -= countAfter(times, now + OVERTAKEN_SECONDS)
    this.#times -= before - times.length
    return times
  }

  /** Deletes unused buckets, which would pile up otherwise. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_SECONDS) return
    this.#sweptAt = now
    for (const [key, { over }] of this.#windows) if (over < now) this.#forget(key)
  }

  /** Keeps memory within its limit, whatever number of addresses one user has. */
  #keepWithin(): void {
    for (const key of this.#windows.keys()) {
      if (this.#times <= COUNTED_KEPT.requests && this.#windows.size <= COUNTED_KEPT.callers) return
      this.#forget(key)
    }
  }

  #forget(key: string): void {
    this.#times -= this.#windows.get(key)?.times.length ?? 0
    this.#windows.delete(key)
  }
}

/** Returns the state of the strictest limit: the one with the fewest requests left. */
function stateOf(times: readonly number[], limits: readonly RateLimit[], now: number): RateLimitState {
  const states = limits.map(({ requests, seconds }) => ({
    limit: requests,
    remaining: Math.max(requests - countAfter(times, now - seconds), 0),
    reset: Math.ceil(times.at(-1)! + seconds),
  }))
  return states.reduce((lowest, state) => (state.remaining < lowest.remaining ? state : lowest))
}

/** A refusal with the state for its headers. */
export class BlockedRequest extends RateLimitHitError {
  readonly state: RateLimitState

  constructor(retryAfter: number, state: RateLimitState) {
    super(retryAfter)
    this.state = state
  }
}

/**
 * Rows that all readers without an account together may make an organization's object read a minute, and at once after a rest: less than
 * a twentieth of the object's time. Each call counts as `ofACall` rows at least.
 */
export const ROWS_FOR_SPECTATORS = { aMinute: 2_000_000, ofACall: 1_000 } as const

const ROWS_A_SECOND = ROWS_FOR_SPECTATORS.aMinute / MINUTE

/**
 * The share of the object's work for readers without an account, from all addresses together: neither a crowd of them nor one with many
 * addresses takes anything from the organization's own people. It is in memory, and an eviction restores it.
 */
export class SpectatorAllowance {
  #rows: number = ROWS_FOR_SPECTATORS.aMinute
  #at = 0

  /** `now` in UNIX seconds. @throws RateLimitHitError (429) when it is used up. */
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
