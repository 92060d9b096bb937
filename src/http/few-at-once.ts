import { comeAgain } from '../core/errors.ts'

/** Milliseconds after which a waiting request checks again, at least and at most. */
const LOOK_MS = { min: 5, max: 1_000 } as const
/**
 * The time that a turn takes when many wait, in ms: at first, and the limits of what is measured. A request checks after a part of the
 * time that those before it will take, so that it checks few times, and is there when its turn comes.
 */
const PACE_MS = { first: 2, min: 0.5, max: 4, partOfAll: 0.8, weight: 0.1 } as const

interface Turn {
  /** End of the turn, in UNIX milliseconds. */
  readonly until: number
}

export interface FewAtOnceLimits {
  readonly atOnce: number
  readonly waiting: number
  readonly milliseconds: number
  /** Milliseconds after which a turn is free again, since a request that the platform has ended does not give it back. */
  readonly turn: number
}

/**
 * Lets a few requests of an isolate at a time work for one organization; the others wait, about in the order
 * in which they came. Waiting polls by the clock: a request must not continue in the context of another that
 * ends.
 */
export class FewAtOnce {
  readonly #limits: FewAtOnceLimits
  readonly #turns = new Set<Turn>()
  #waiting = 0
  #came = 0
  #started = 0
  #pace: number = PACE_MS.first
  #lastLeft = 0

  constructor(limits: FewAtOnceLimits) {
    this.#limits = limits
  }

  /** Whether no work runs or waits. */
  get isEmpty(): boolean {
    return this.#turns.size === 0 && this.#waiting === 0
  }

  /**
   * Waits for a turn and returns how to leave. @throws ServiceUnavailableError (503) when too many wait, or
   * it takes too long.
   */
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
        const pause = LOOK_MS.min + before * this.#pace * PACE_MS.partOfAll
        await scheduler.wait(Math.min(pause, LOOK_MS.max))
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
    const turn = { until: now + this.#limits.turn }
    this.#turns.add(turn)
    this.#started += 1
    return () => {
      this.#turns.delete(turn)
      this.#notePace(Date.now())
    }
  }

  #notePace(now: number): void {
    const took = Math.min(Math.max(now - this.#lastLeft, PACE_MS.min), PACE_MS.max)
    this.#lastLeft = now
    this.#pace += (took - this.#pace) * PACE_MS.weight
  }
}

/** Lets a few requests of each organization work at a time: none waits for another organization's. */
export class FewOfEach {
  readonly #limits: FewAtOnceLimits
  readonly #organizations = new Map<number, FewAtOnce>()

  constructor(limits: FewAtOnceLimits) {
    this.#limits = limits
  }

  /** Waits for a turn of the organization, and returns how to leave. @throws ServiceUnavailableError (503) as `FewAtOnce` */
  async enter(realmId: number): Promise<() => void> {
    const few = this.#organizations.get(realmId) ?? new FewAtOnce(this.#limits)
    this.#organizations.set(realmId, few)
    const forget = () => {
      if (few.isEmpty && this.#organizations.get(realmId) === few) this.#organizations.delete(realmId)
    }
    const leave = await few.enter().catch((error) => {
      forget()
      throw error
    })
    return () => {
      leave()
      forget()
    }
  }
}
