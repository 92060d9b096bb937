import type { Sql } from '../../../core/sql.ts'

/** Cost of a statement besides its rows, in rows. */
const ROWS_A_STATEMENT = 3

/** The work that one turn may do: rows that are read meanwhile, statements, and what comes from memory, each like a row. */
export class WorkBudget {
  readonly #sql: Sql
  readonly #limit: number
  readonly #rowsBefore: number
  readonly #statementsBefore: number
  #remembered = 0

  constructor(sql: Sql, limit: number) {
    this.#sql = sql
    this.#limit = limit
    this.#rowsBefore = sql.counts.read
    this.#statementsBefore = sql.statements
  }

  /** Rows that were read, with what came from memory. */
  get rows(): number {
    return this.#sql.counts.read - this.#rowsBefore + this.#remembered
  }

  get isSpent(): boolean {
    return this.#used >= this.#limit
  }

  /** Whether so much of it is spent that little else should be done in the same turn. */
  get isWellUsed(): boolean {
    return this.#used >= this.#limit / 4
  }

  get #used(): number {
    return this.rows + (this.#sql.statements - this.#statementsBefore) * ROWS_A_STATEMENT
  }

  /** Counts work that no row shows, as on things in memory. */
  countRemembered(things: number): void {
    this.#remembered += things
  }
}
