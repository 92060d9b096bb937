import type { Sql } from '../../../core/sql.ts'

/** Cost of a statement that finds nothing, in rows. */
const ROWS_A_STATEMENT = 5

/** The work that one turn may do: rows that are read meanwhile, statements, and messages that come from memory, each like a row. */
export class WorkBudget {
  readonly #sql: Sql
  readonly #rows: number
  readonly #start: number
  #statements = 0
  #remembered = 0

  constructor(sql: Sql, rows: number) {
    this.#sql = sql
    this.#rows = rows
    this.#start = sql.counts.read
  }

  get used(): number {
    const rows = this.#sql.counts.read - this.#start
    return rows + this.#statements * ROWS_A_STATEMENT + this.#remembered
  }

  get isSpent(): boolean {
    return this.used >= this.#rows
  }

  countStatement(): void {
    this.#statements += 1
  }

  countRemembered(messages: number): void {
    this.#remembered += messages
  }
}
