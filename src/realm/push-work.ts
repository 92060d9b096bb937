/** How long to let the bouncer be after it could not be asked: 5 s, and longer each time. */
const FIRST_REST_SECONDS = 5
const LONGEST_REST_SECONDS = 600

/**
 * What is on its way to the bouncer: one run at a time, that nothing waits for. While the bouncer cannot
 * be reached it is left alone, however much there is to be brought. Nothing of it must last.
 */
export class PushWork {
  #isRunning = false
  #failures = 0
  #restUntil = 0

  get isIdle(): boolean {
    return !this.#isRunning
  }

  /** Begins `work`, if none is under way. It resolves when everything has been brought. */
  begin(now: () => number, work: () => Promise<void>): void {
    if (this.#isRunning || now() < this.#restUntil) return
    this.#isRunning = true
    void work()
      .then(
        () => {
          this.#failures = 0
        },
        (error) => {
          console.error('Push notifications wait', error)
          this.#restUntil = now() + Math.min(FIRST_REST_SECONDS * 2 ** this.#failures, LONGEST_REST_SECONDS)
          this.#failures += 1
        },
      )
      .finally(() => {
        this.#isRunning = false
      })
  }
}
