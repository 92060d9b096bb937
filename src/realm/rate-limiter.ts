import type { RateLimitState } from '../core/call.ts'
import { RateLimitHitError } from '../core/errors.ts'

/** How many requests in how many seconds. Source: behaviour 0.4. */
export interface RateLimit {
  readonly requests: number
  readonly seconds: number
}

export const RATE_LIMITS = {
  user: { requests: 200, seconds: 60 },
  events: { requests: 200, seconds: 60 },
  anonymous: { requests: 100, seconds: 60 },
} as const satisfies Record<string, RateLimit>

const LONGEST_WINDOW_SECONDS = Math.max(...Object.values(RATE_LIMITS).map(({ seconds }) => seconds))

/**
 * Sliding windows in memory: requests that were refused do not count. An eviction forgets them, which
 * needs ten idle seconds; what must not be forgotten (failed logins) is kept in storage instead.
 */
export class RateLimiter {
  readonly #windows = new Map<string, number[]>()
  #sweptAt = 0

  /** How many buckets are in use. */
  get size(): number {
    return this.#windows.size
  }

  /**
   * Counts one request. `now` in UNIX seconds.
   * @throws RateLimitHitError (429) when the bucket is full.
   */
  count(bucket: keyof typeof RATE_LIMITS, key: string | number, now: number): RateLimitState {
    const limit = RATE_LIMITS[bucket]
    const windowKey = `${bucket}:${key}`
    const recent = (this.#windows.get(windowKey) ?? []).filter((at) => at > now - limit.seconds)
    if (recent.length >= limit.requests) {
      throw new BlockedRequest(recent[0]! + limit.seconds - now, {
        limit: limit.requests,
        remaining: 0,
        reset: Math.ceil(recent.at(-1)! + limit.seconds),
      })
    }
    recent.push(now)
    this.#windows.set(windowKey, recent)
    this.#sweep(now)
    return {
      limit: limit.requests,
      remaining: limit.requests - recent.length,
      reset: Math.ceil(now + limit.seconds),
    }
  }

  /** Buckets nobody uses any more would pile up otherwise. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < LONGEST_WINDOW_SECONDS) return
    this.#sweptAt = now
    for (const [key, window] of this.#windows) {
      if (window.at(-1)! < now - LONGEST_WINDOW_SECONDS) this.#windows.delete(key)
    }
  }
}

/** The refusal together with the state that its headers tell. */
export class BlockedRequest extends RateLimitHitError {
  readonly state: RateLimitState

  constructor(retryAfter: number, state: RateLimitState) {
    super(retryAfter)
    this.state = state
  }
}
