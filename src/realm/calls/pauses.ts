import { PAUSE_BETWEEN_WALKS_MS, SHORTEST_PAUSE_MS } from '../../core/budgets.ts'

/**
 * The pauses between the parts of long work, in which everybody else is served. Parts of several calls that came at once would be one
 * long turn for whoever waits: so each begins after a pause of its own, which is the shorter the more of them wait.
 */
export class Pauses {
  readonly #waiting: { readonly begin: () => void; readonly ms: number }[] = []
  #isRunning = false

  /** Resolves after a pause. What follows, up to the next `await` of something that is not there yet, is one part. */
  next(ms = PAUSE_BETWEEN_WALKS_MS): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ begin, ms })
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      await scheduler.wait(Math.max(first.ms / this.#waiting.length, SHORTEST_PAUSE_MS))
      this.#waiting.shift()
      first.begin()
    }
    this.#isRunning = false
  }
}
