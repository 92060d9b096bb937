import { FairQueue, type FairQueueLimits } from '../core/fair-queue.ts'
import { TimeLimit } from '../core/time-limit.ts'

/** Milliseconds that a turn is taken to last: all alike, so that owners take turns. */
const COST = 1

export interface FewAtOnceLimits extends FairQueueLimits {
  readonly atOnce: number
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
 * Lets a few requests of an isolate at a time wait for one organization's answers, which take memory; the others wait in a `FairQueue`.
 * What holds the thread goes through the gate instead (core/work-gate.ts).
 */
export class FewAtOnce {
  readonly #limits: FewAtOnceLimits
  readonly #queue: FairQueue
  /** The time that is left to each. */
  readonly #turns = new Set<TimeLimit>()
  readonly #answers = new Set<TimeLimit>()

  constructor(limits: FewAtOnceLimits) {
    this.#limits = limits
    this.#queue = new FairQueue(limits)
  }

  /** Whether no work runs or waits. */
  get isEmpty(): boolean {
    this.#endOverdue()
    return this.#turns.size === 0 && this.#answers.size === 0 && this.#queue.isEmpty
  }

  /**
   * Waits for a turn.
   * @throws ServiceUnavailableError (503) when too many wait, or it takes too long.
   */
  async enter(owner: string): Promise<TakenTurn> {
    const place = this.#queue.enter(owner)
    try {
      const take = () => {
        const turn = this.#take()
        if (turn) place.leave()
        return turn
      }
      return await place.wait(COST, take, new TimeLimit(this.#limits.milliseconds))
    } finally {
      place.leave()
    }
  }

  #take(): TakenTurn | undefined {
    this.#endOverdue()
    const [taken, answered] = [this.#turns.size, this.#answers.size]
    if (taken >= this.#limits.atOnce || taken + answered >= this.#limits.answered) return undefined
    const turn = new TimeLimit(this.#limits.turn)
    this.#turns.add(turn)
    const leave = () => {
      this.#turns.delete(turn)
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
}
