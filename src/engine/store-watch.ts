import { type Part, type Sources, Stamps } from './stamps.ts'
import { StatementTables, type Tables } from './statement-tables.ts'

/** Rows of a table that a statement changes: those of these subjects alone. */
export interface Changed {
  readonly table: string
  readonly subjects: readonly number[]
}

/** Sees each statement before the store runs it: what changes gets a stamp, and what a reader reads becomes a source of its value. */
export class StoreWatch {
  readonly stamps = new Stamps()
  readonly #schema: () => Tables
  /** Undefined until something reads: before that nothing can be out of date. */
  #tables: StatementTables | undefined
  /** Those of the reader that is running. */
  #sources: Sources | undefined
  #about: Part | undefined
  #changed: Changed | undefined
  #begun: number | undefined

  constructor(schema: () => Tables) {
    this.#schema = schema
  }

  /** The clock when the transaction began that is open. */
  get begun(): number | undefined {
    return this.#begun
  }

  begin(): void {
    this.#begun = this.stamps.clock
  }

  /** The transaction was committed or rolled back. */
  end(): void {
    this.#begun = undefined
  }

  /** @throws Error when a reader changes something */
  note(statement: string): void {
    if (!this.#tables) return
    const { reads, writes } = this.#tables.of(statement)
    if (this.#sources) {
      if (writes.length > 0) throw new Error(`A reader changes the store: ${statement}`)
      for (const table of reads) this.#addSource(table)
    }
    for (const table of writes) {
      this.stamps.changed(table, this.#changed?.table === table ? this.#changed.subjects : undefined)
    }
  }

  /** Notes that a value is used which was read from these tables some time before, and is current. */
  noteKept(tables: RegExp): void {
    if (!this.#sources) return
    for (const table of this.#tables!.matching(tables)) this.#addSource(table)
  }

  /** Runs a part of a reader. What it reads are sources of its value. */
  reading<Result>(sources: Sources, run: () => Result): Result {
    this.#tables ??= new StatementTables(this.#schema())
    const [outer, about] = [this.#sources, this.#about]
    this.#sources = sources
    this.#about = undefined
    try {
      return run()
    } finally {
      this.#sources = outer
      this.#about = about
    }
  }

  /** Runs a part of a reader that reads of the table only what it says about the subject. */
  about<Result>(part: Required<Part>, run: () => Result): Result {
    const outer = this.#about
    this.#about = part
    try {
      return run()
    } finally {
      this.#about = outer
    }
  }

  /** Runs statements that change of the table only rows of these subjects. */
  changing<Result>(changed: Changed, run: () => Result): Result {
    const outer = this.#changed
    this.#changed = changed
    try {
      return run()
    } finally {
      this.#changed = outer
    }
  }

  #addSource(table: string): void {
    const part = this.#about?.table === table ? this.#about : { table }
    this.#sources!.add(part, this.stamps.clock)
  }
}
