import { BadRequestError } from '../../../core/errors.ts'
import type { Sql } from '../../../core/sql.ts'

/** Rows that one request may make the object look at, in all of its turns: twice each message of an organization of a million. */
export const ROWS_OF_A_REQUEST = { limit: 2_000_000 }

/** A limit of the rows that steps read, in however many turns. */
export class RowLimit {
  readonly #sql: Sql
  #left: number

  constructor(sql: Sql, rows = ROWS_OF_A_REQUEST.limit) {
    this.#sql = sql
    this.#left = rows
  }

  /** Counts other work, in rows. */
  spend(rows: number): void {
    this.#left -= rows
  }

  /** Does the steps as far as the limit allows. An answer that was asked for is waited for. */
  *run<Step, End>(steps: Generator<Step, End, unknown>): Generator<Step, End | 'spent', unknown> {
    for (let answer: unknown; ; ) {
      const before = this.#sql.counts.read
      const step = steps.next(answer)
      this.#left -= this.#sql.counts.read - before
      if (step.done) return step.value
      if (typeof step.value === 'number') this.#left -= step.value
      if (this.#left <= 0 && !(step.value instanceof Promise)) return 'spent'
      answer = yield step.value
    }
  }
}

/**
 * Returns the refusal of a request that has found nothing within its limit, and would not if repeated. If
 * something was found, that is answered, and clients continue from there.
 */
export function tooManyToLookThrough(): BadRequestError {
  return new BadRequestError(
    'Too many messages would have to be looked through. Please name a channel, a topic or a person.',
  )
}
