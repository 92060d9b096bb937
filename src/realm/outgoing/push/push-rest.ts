/** So many failures without anything between them that worked, and the bouncer is let be. */
const FAILURES_BEFORE_REST = 3
const FIRST_REST_SECONDS = 5
const LONGEST_REST_SECONDS = 60

/**
 * How long to let the bouncer be that cannot be asked: however much there is to be brought, it is not asked for each. What
 * fails by itself keeps nothing else waiting. Nothing of it must last.
 */
export class PushRest {
  #failures = 0
  #until = 0

  /** UNIX seconds; in the past when it may be asked. */
  get until(): number {
    return this.#until
  }

  worked(): void {
    this.#failures = 0
    this.#until = 0
  }

  failed(now: number): void {
    this.#failures += 1
    const times = this.#failures - FAILURES_BEFORE_REST
    if (times >= 0) this.#until = now + Math.min(FIRST_REST_SECONDS * 2 ** times, LONGEST_REST_SECONDS)
  }
}
