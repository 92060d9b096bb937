import { type Change, type Part, type Sources, Stamps, type Subject } from './stamps.ts'
import { StatementTables, type Tables } from './statement-tables.ts'

/** Sees each statement before the store runs it: what changes gets a stamp, and what a reader reads becomes a source of its value. */
export class StoreWatch {
  readonly stamps = new Stamps()
  readonly #schema: () => Tables
  /** Undefined until something reads: before that nothing can be out of date. */
  #tables: StatementTables | undefined
  /** Those of the reader that is running. */
  #sources: Sources | undefined
  /** What a value is made of that is kept. */
  #parts: Set<Part> | undefined
  #about: { readonly table: string; readonly subject: Subject } | undefined
  #changing: Required<Pick<Change, 'table' | 'subjects'>> | undefined
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
    const isReading = this.#sources !== undefined || this.#parts !== undefined
    // Its tables are not there yet while the store is new.
    if (!isReading && !this.#tables) return
    this.#tables ??= new StatementTables(this.#schema())
    const { reads, writes } = this.#tables.of(statement)
    if (this.#sources && writes.length > 0) throw new Error(`A reader changes the store: ${statement}`)
    if (isReading) for (const part of reads) this.#noteRead(this.#partOf(part))
    for (const { table, columns } of writes) {
      const subjects = this.#changing?.table === table ? this.#changing.subjects : undefined
      this.stamps.changed({ table, columns, subjects })
    }
  }

  /** Notes that a value is used which was made of these parts some time before, and is current. */
  noteKept(parts: readonly Part[]): void {
    if (this.#sources || this.#parts) for (const part of parts) this.#noteRead(part)
  }

  /** Makes a value that is to be kept, and returns of what. */
  partsOf<Value>(make: () => Value): { readonly value: Value; readonly parts: readonly Part[] } {
    const outer = this.#parts
    const parts = new Set<Part>()
    this.#parts = parts
    try {
      return { value: make(), parts: [...parts] }
    } finally {
      this.#parts = outer
      for (const part of parts) outer?.add(part)
    }
  }

  /** Runs a part of a reader. What it reads are sources of its value. */
  reading<Result>(sources: Sources, run: () => Result): Result {
    const outer = this.#sources
    this.#sources = sources
    try {
      return run()
    } finally {
      this.#sources = outer
    }
  }

  /** Runs what reads of the table only what it says about the subject. */
  about<Result>(table: string, subject: Subject, read: () => Result): Result {
    const outer = this.#about
    this.#about = { table, subject }
    try {
      return read()
    } finally {
      this.#about = outer
    }
  }

  /** Runs what changes of the table only what it says about these subjects. `subjects` is a function where the change makes them. */
  changing<Result>(
    table: string,
    subjects: readonly Subject[] | ((result: Result) => readonly Subject[]),
    change: () => Result,
  ): Result {
    const outer = this.#changing
    const areMade = typeof subjects === 'function'
    this.#changing = { table, subjects: areMade ? [] : subjects }
    try {
      const result = change()
      if (areMade) this.stamps.changed({ table, subjects: subjects(result) })
      return result
    } finally {
      this.#changing = outer
    }
  }

  #partOf(part: Part): Part {
    return this.#about?.table === part.table ? { ...part, subject: this.#about.subject } : part
  }

  #noteRead(part: Part): void {
    this.#sources?.add(part, this.stamps.clock)
    this.#parts?.add(part)
  }
}
