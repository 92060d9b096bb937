import type { Walks } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import type { Sql } from '../../../core/sql.ts'
import type { IndexedMessage } from '../message-rows.ts'
import type { NarrowWalk } from './matching-messages.ts'
import type { Direction } from './message-source-rows.ts'
import type { WalkEnd } from './walk-messages.ts'
import { WorkBudget } from './work-budget.ts'

/** The messages of a narrow, whatever it takes to find them. */
export interface Matches {
  has(id: number): Promise<boolean>
  /** Walks through the messages beyond `from`, nearest first, until `visit` says false. `wanted`: how many that will be at most. */
  beyond(from: number, direction: Direction, visit: Visit, wanted: number): Promise<WalkEnd>
  /** Unread ones that call for attention, oldest first. */
  unread(visit: Visit): Promise<WalkEnd>
}

type Visit = (message: IndexedMessage) => boolean

/** The work that one request may still do, in as many short turns of the object as it takes. */
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

  /** Is nothing left of the request's budget, in rows or in queries of D1? */
  get isSpent(): boolean {
    const { rowsARequest, searchesARequest } = this.#walks.budgets
    return this.#used + this.#budget.used >= rowsARequest || this.#searches >= searchesARequest
  }

  /** The budget of the present turn. */
  get budget(): WorkBudget {
    return this.#budget
  }

  /** A budget without a limit, for steps that have one of their own. */
  unlimited(): WorkBudget {
    return new WorkBudget(this.#sql, Number.POSITIVE_INFINITY)
  }

  /** One more query of the search index. */
  countSearch(): void {
    this.#searches += 1
  }

  /** Waits for the next turn where this one has done its part. */
  async rest(): Promise<void> {
    if (this.#budget.isSpent) await this.next()
  }

  /** @throws ServiceUnavailableError when too many wait. */
  async next(): Promise<void> {
    this.#used += this.#budget.used
    await this.#walks.turn()
    this.#budget = new WorkBudget(this.#sql, this.#walks.budgets.rowsATurn)
  }

  /** `spent`: the request may not look any further. */
  async walk(walk: NarrowWalk, visit: (message: IndexedMessage) => boolean): Promise<WalkEnd> {
    for (;;) {
      const end = walk.run(visit, this.#budget)
      if (end !== 'spent' || this.isSpent) return end
      await this.next()
    }
  }
}

/**
 * The refusal of a request that has found nothing within its budget: asked again it would not either. Where something was
 * found, that is answered, and clients go on from there.
 */
export function tooManyToLookThrough(): BadRequestError {
  return new BadRequestError(
    'Too many messages would have to be looked through. Please name a channel, a topic or a person.',
  )
}
