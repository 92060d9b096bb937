import { comeAgain } from '../core/errors.ts'
import { TimeLimit } from '../core/time-limit.ts'

/** Milliseconds after which a waiting request checks again, at least and at most. */
const LOOK_MS = { min: 5, max: 1_000 } as const
/**
 * The time that a turn takes when many wait, in ms: at first, and the limits of what is measured. A request checks after a part of the
 * time that those before it will take, so that it checks few times, and is there when its turn comes.
 */
const PACE_MS = { first: 2, min: 0.5, max: 4, partOfAll: 0.8, weight: 0.1 } as const

export interface FewAtOnceLimits {
  readonly atOnce: number
  readonly waiting: number
  readonly milliseconds: number
  /** Requests that have a turn, or are being answered after it. */
  readonly answered: number
  /**
   * Milliseconds after which a turn is free again, and after which an answer no longer counts: a request that the platform has ended
   * gives nothing back, and a slow reader must not keep others out.
   */
  readonly turn: number
  readonly answer: number
}

/** A turn that has been taken. */
export interface TakenTurn {
  /** Ends the turn. */
  leave(): void
  /** Ends the turn, and counts the request as being answered until what this returns is called. */
  answer(): () => void
}

/**
 * Lets a few requests of an isolate at a time work for one organization; the others wait, about in the order
 * in which they came. Waiting polls by the clock: a request must not continue in the context of another that
 * ends.
 */
export class FewAtOnce {
  readonly #limits: FewAtOnceLimits
  /** The time that is left to each. */
  readonly #turns = new Set<TimeLimit>()
  readonly #answers = new Set<TimeLimit>()
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
    this.#endOverdue()
    return this.#turns.size === 0 && this.#answers.size === 0 && this.#waiting === 0
  }

  /**
   * Waits for a turn. @throws ServiceUnavailableError (503) when too many wait, or
   * it takes too long.
   */
  async enter(): Promise<TakenTurn> {
    this.#came += 1
    const number = this.#came
    const atOnce = this.#waiting === 0 ? this.#take() : undefined
    if (atOnce) return atOnce
    if (this.#waiting >= this.#limits.waiting) {
      this.#started += 1
      throw comeAgain()
    }
    const time = new TimeLimit(this.#limits.milliseconds)
    this.#waiting += 1
    try {
      while (!time.isOver) {
        const before = Math.max(number - this.#started - 1, 0)
        const pause = LOOK_MS.min + before * this.#pace * PACE_MS.partOfAll
        await scheduler.wait(Math.min(pause, LOOK_MS.max))
        const turn = this.#take()
        if (turn) return turn
      }
      throw comeAgain()
    } finally {
      this.#waiting -= 1
    }
  }

  #take(): TakenTurn | undefined {
    this.#endOverdue()
    const [taken, answered] = [this.#turns.size, this.#answers.size]
    if (taken >= this.#limits.atOnce || taken + answered >= this.#limits.answered) return undefined
    const turn = new TimeLimit(this.#limits.turn)
    this.#turns.add(turn)
    this.#started += 1
    const leave = () => {
      this.#turns.delete(turn)
      this.#notePace(Date.now())
    }
    const answer = () => {
      leave()
      const begun = new TimeLimit(this.#limits.answer)
      this.#answers.add(begun)
      return () => this.#answers.delete(begun)
    }
    return { leave, answer }
  }

  #endOverdue(): void {
    for (const begun of [this.#turns, this.#answers]) {
      for (const one of begun) if (one.isOver) begun.delete(one)
    }
  }

  #notePace(now: number): void {
    const took = Math.min(Math.max(now - this.#lastLeft, PACE_MS.min), PACE_MS.max)
    this.#lastLeft = now
    this.#pace += (took - this.#pace) * PACE_MS.weight
  }
}
