import { comeAgain } from '../core/errors.ts'

/** Milliseconds after which a turn is free again: a request that the platform has ended does not give it back. */
const LONGEST_MS = 60_000
/** Milliseconds after which a waiting request looks again: the more there are before it, the later. */
const LOOK_MS = { least: 5, most: 500, forEachBefore: 2 } as const

interface Turn {
  /** UNIX milliseconds. */
  readonly until: number
}

export interface FewAtOnceLimits {
  readonly atOnce: number
  readonly waiting: number
  readonly milliseconds: number
}

/**
 * Work for one organization of which few requests of an isolate do some at a time; the others wait, about in the order in which they came. It is
 * looked at by the clock: a request that ends must not go on with the work of another.
 */
export class FewAtOnce {
  readonly #limits: FewAtOnceLimits
  readonly #turns = new Set<Turn>()
  #waiting = 0
  #came = 0
  #started = 0

  constructor(limits: FewAtOnceLimits) {
    this.#limits = limits
  }

  /** Does nobody work or wait? */
  get isEmpty(): boolean {
    return this.#turns.size === 0 && this.#waiting === 0
  }

  /** Answers how to leave. @throws ServiceUnavailableError (503) when too many wait, or it takes too long. */
  async enter(): Promise<() => void> {
    this.#came += 1
    const number = this.#came
    const atOnce = this.#waiting === 0 ? this.#take() : undefined
    if (atOnce) return atOnce
    if (this.#waiting >= this.#limits.waiting) {
      this.#started += 1
      throw comeAgain()
    }
    const until = Date.now() + this.#limits.milliseconds
    this.#waiting += 1
    try {
      while (Date.now() < until) {
        const before = Math.max(number - this.#started - 1, 0)
        const pause = LOOK_MS.least + before * LOOK_MS.forEachBefore
        await scheduler.wait(Math.min(pause, LOOK_MS.most))
        const leave = this.#take()
        if (leave) return leave
      }
      throw comeAgain()
    } finally {
      this.#waiting -= 1
    }
  }

  #take(): (() => void) | undefined {
    const now = Date.now()
    for (const turn of this.#turns) if (turn.until <= now) this.#turns.delete(turn)
    if (this.#turns.size >= this.#limits.atOnce) return undefined
    const turn = { until: now + LONGEST_MS }
    this.#turns.add(turn)
    this.#started += 1
    return () => this.#turns.delete(turn)
  }
}
