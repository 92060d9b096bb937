import { WALK_BUDGETS, WALKS_OF_ONE_USER, WALKS_WAITING, type WalkBudgets } from '../../core/budgets.ts'
import type { Walks } from '../../core/command.ts'
import { ServiceUnavailableError } from '../../core/errors.ts'
import type { Pause } from '../../core/realm-transaction.ts'

/**
 * The lane of long walks through the index. Only one takes a turn at a time, with a pause for everybody else
 * after it, and accounts take turns in a circle: somebody who asks for a hundred long walks only delays
 * himself. In memory only: an eviction ends the requests as well.
 */
export class WalkLane {
  readonly #pause: Pause
  /** Tests set smaller ones. */
  budgets: WalkBudgets = WALK_BUDGETS
  /** Waiting walks by account; accounts in the order of their turns. */
  readonly #waiting = new Map<number, (() => void)[]>()
  #count = 0
  #isRunning = false

  constructor(pause: Pause) {
    this.#pause = pause
  }

  of(userId: number): Walks {
    return { budgets: this.budgets, turn: () => this.#turn(userId) }
  }

  #turn(userId: number): Promise<void> {
    const own = this.#waiting.get(userId) ?? []
    if (own.length >= WALKS_OF_ONE_USER || this.#count >= WALKS_WAITING) throw new ServiceUnavailableError(5)
    this.#waiting.set(userId, own)
    this.#count += 1
    return new Promise((resolve) => {
      own.push(resolve)
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#count > 0) {
      await this.#pause()
      const [userId, own] = this.#waiting.entries().next().value!
      this.#waiting.delete(userId)
      const begin = own.shift()!
      this.#count -= 1
      if (own.length > 0) this.#waiting.set(userId, own)
      begin()
    }
    this.#isRunning = false
  }
}
