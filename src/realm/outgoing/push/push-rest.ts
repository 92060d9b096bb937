/** Number of failures, without a success between them, after which the bouncer rests. */
const FAILURES_BEFORE_REST = 3
const FIRST_REST_SECONDS = 5
const MAX_REST_SECONDS = 60

/**
 * The time for which an unreachable bouncer is not called, however many notifications are pending. A failure
 * of one notification alone delays no other. Nothing of this has to survive an eviction.
 */
export class PushRest {
  #failures = 0
  #until = 0

  /** UNIX seconds; in the past when it may be called. A rest that would last too long is over: the clock has been set back. */
  until(now: number): number {
    return this.#until - now > MAX_REST_SECONDS ? 0 : this.#until
  }

  worked(): void {
    this.#failures = 0
    this.#until = 0
  }

  failed(now: number): void {
    this.#failures += 1
    const times = this.#failures - FAILURES_BEFORE_REST
    if (times >= 0) this.#until = now + Math.min(FIRST_REST_SECONDS * 2 ** times, MAX_REST_SECONDS)
  }
}

/** Seconds that a push service rests after a failure, doubled each time. */
const FIRST_REST = 60
const MAX_REST = 3_600
/** Number of failures in a row, over some hours, after which a subscription counts as gone. */
const MAX_FAILURES = 10

/**
 * Subscriptions whose push service answers slowly or not at all. They are paused, so that one of them, whose service
 * may be a user's own server, costs the others no time. In memory: after an eviction each is tried once more. An entry
 * has some 100 bytes, only for failing subscriptions.
 */
export class WebPushRest {
  readonly #failing = new Map<number, { failures: number; until: number }>()

  /** Whether it rests: not longer than any rest lasts, since the clock may have been set back. Times in UNIX seconds. */
  isResting(id: number, now: number): boolean {
    const left = (this.#failing.get(id)?.until ?? 0) - now
    return left > 0 && left <= MAX_REST
  }

  /** Records a failure. True when it has failed too often. */
  failed(id: number, now: number): boolean {
    const failures = (this.#failing.get(id)?.failures ?? 0) + 1
    this.#failing.set(id, { failures, until: now + Math.min(FIRST_REST * 2 ** (failures - 1), MAX_REST) })
    return failures >= MAX_FAILURES
  }

  /** Records a slow answer, after which the service rests once. */
  wasSlow(id: number, now: number): void {
    this.#failing.set(id, { failures: 0, until: now + FIRST_REST })
  }

  worked(id: number): void {
    this.#failing.delete(id)
  }
}
