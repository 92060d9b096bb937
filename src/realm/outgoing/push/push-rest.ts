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
