import { WALK_BUDGETS, WALKS_OF_ONE_USER, WALKS_WAITING, type WalkBudgets } from '../../core/budgets.ts'
import type { Walks } from '../../core/command.ts'
import { ServiceUnavailableError } from '../../core/errors.ts'
import type { PauseFor } from '../calls/pauses.ts'

/**
 * The lane of long walks through the index. Their turns begin at the gate, with a pause for everybody else before each, and accounts have
 * equal shares there: somebody who asks for a hundred long walks only delays himself. The lane limits how many wait. In memory only: an
 * eviction ends the requests as well.
 */
export class WalkLane {
  readonly #pauseFor: PauseFor
  /** Tests set smaller ones. */
  budgets: WalkBudgets = WALK_BUDGETS
  /** Number of waiting walks by account. */
  readonly #waiting = new Map<number, number>()
  #count = 0

  constructor(pauseFor: PauseFor) {
    this.#pauseFor = pauseFor
  }

  of(userId: number): Walks {
    return { budgets: this.budgets, turn: () => this.#turn(userId) }
  }

  async #turn(userId: number): Promise<void> {
    const own = this.#waiting.get(userId) ?? 0
    if (own >= WALKS_OF_ONE_USER || this.#count >= WALKS_WAITING) throw new ServiceUnavailableError(5)
    this.#add(userId, 1)
    try {
      await this.#pauseFor(userId)()
    } finally {
      this.#add(userId, -1)
    }
  }

  #add(userId: number, count: number): void {
    const own = (this.#waiting.get(userId) ?? 0) + count
    this.#count += count
    if (own > 0) this.#waiting.set(userId, own)
    else this.#waiting.delete(userId)
  }
}
