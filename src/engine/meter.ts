/** Measures the work of a turn in rows that the store reads and writes. */
export class Meter {
  readonly #rows: () => number
  #limit: number

  /** `rows` returns those of all turns so far; `budget` those of this one. */
  constructor(rows: () => number, budget: number) {
    this.#rows = rows
    this.#limit = rows() + budget
  }

  get isSpent(): boolean {
    return this.#rows() >= this.#limit
  }

  /** Counts work beside that of the store, in rows that take as long. */
  spend(rows: number | undefined): void {
    this.#limit -= rows ?? 0
  }
}
