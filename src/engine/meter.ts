/** Measures the work of a turn in rows that the store reads and writes. */
export class Meter {
  readonly #rows: () => number
  readonly #limit: number

  /** `rows` returns those of all turns so far; `budget` those of this one. */
  constructor(rows: () => number, budget: number) {
    this.#rows = rows
    this.#limit = rows() + budget
  }

  get isSpent(): boolean {
    return this.#rows() >= this.#limit
  }
}
