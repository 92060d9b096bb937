import type { Walks } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import type { Sql } from '../../../core/sql.ts'
import type { IndexedMessage } from '../message-rows.ts'
import type { NarrowWalk } from './matching-messages.ts'
import type { Direction } from './message-source-rows.ts'
import type { WalkEnd } from './walk-messages.ts'
import { WorkBudget } from './work-budget.ts'

/** The messages of a narrow, however they are found. */
export interface Matches {
  has(id: number): Promise<boolean>
  /**
   * Walks through the messages beyond `from`, nearest first, until `visit` returns false. `wanted`: limit of
   * how many that will be.
   */
  beyond(from: number, direction: Direction, visit: Visit, wanted: number): Promise<WalkEnd>
  /** Walks through unread messages that are not muted, oldest first. */
  unread(visit: Visit): Promise<WalkEnd>
}

type Visit = (message: IndexedMessage) => boolean

/** The remaining work of one request, in as many short turns of the object as needed. */
export class Turns {
  readonly #walks: Walks
  readonly #sql: Sql
  #budget: WorkBudget
  /** Rows of earlier turns. */
  #used = 0
  #searches = 0

  constructor(walks: Walks, sql: Sql) {
    this.#walks = walks
    this.#sql = sql
    this.#budget = new WorkBudget(sql, walks.budgets.rowsATurn)
  }

  /** Whether nothing is left of the request's budget, in rows or in queries of D1. */
  get isSpent(): boolean {
    const { rowsARequest, searchesARequest } = this.#walks.budgets
    return this.#used + this.#budget.rows >= rowsARequest || this.#searches >= searchesARequest
  }

  /** Budget of the present turn. */
  get budget(): WorkBudget {
    return this.#budget
  }

  /** Returns a budget without a limit, for steps that have one of their own. */
  unlimited(): WorkBudget {
    return new WorkBudget(this.#sql, Number.POSITIVE_INFINITY)
  }

  /** Counts one more query of the search index. */
  countSearch(): void {
    this.#searches += 1
  }

  /** Waits for the next turn if this one has done its part. */
  async rest(): Promise<void> {
    if (this.#budget.isSpent) await this.next()
  }

  /** Waits for the next turn, for what is done with what was found, unless this one has hardly done anything. */
  async restBeforeAnswer(): Promise<void> {
    if (this.#budget.isWellUsed) await this.next()
  }

  /** @throws ServiceUnavailableError when too many wait. */
  async next(): Promise<void> {
    this.#used += this.#budget.rows
    await this.#walks.turn()
    this.#budget = new WorkBudget(this.#sql, this.#walks.budgets.rowsATurn)
  }

  /** Walks on. `spent`: the request's budget is used up. */
  async walk(walk: NarrowWalk, visit: (message: IndexedMessage) => boolean): Promise<WalkEnd> {
    for (;;) {
      const end = walk.run(visit, this.#budget)
      if (end !== 'spent' || this.isSpent) return end
      await this.next()
    }
  }
}

/**
 * Returns the refusal of a request that has found nothing within its budget, and would not if repeated. If
 * something was found, that is answered, and clients continue from there.
 */
export function tooManyToLookThrough(): BadRequestError {
  return new BadRequestError(
    'Too many messages would have to be looked through. Please name a channel, a topic or a person.',
  )
}
