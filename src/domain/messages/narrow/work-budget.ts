import type { Sql } from '../../../core/sql.ts'

/** Cost of a statement that finds nothing, in rows. */
const ROWS_A_STATEMENT = 5

/** The work that one turn may do: rows that are read meanwhile, and statements. */
export class WorkBudget {
  readonly #sql: Sql
  readonly #rows: number
  readonly #start: number
  #statements = 0

  constructor(sql: Sql, rows: number) {
    this.#sql = sql
    this.#rows = rows
    this.#start = sql.counts.read
  }

  get used(): number {
    return this.#sql.counts.read - this.#start + this.#statements * ROWS_A_STATEMENT
  }

  get isSpent(): boolean {
    return this.used >= this.#rows
  }

  countStatement(): void {
    this.#statements += 1
  }
}
