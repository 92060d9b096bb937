import { VALUES_KEPT } from '../core/budgets.ts'
import { type Change, type Part, Sources, Stamps, type Subject } from './stamps.ts'
import { StatementTables, type Tables } from './statement-tables.ts'
import { ValueCache } from './value-cache.ts'

/** What no change names: it is current while each has named others, or none. */
const FOLLOWED = 'followed'

/** Sees each statement before the store runs it: what changes gets a stamp, and what a reader reads becomes a source of its value. */
export class StoreWatch {
  readonly stamps = new Stamps()
  readonly values: ValueCache
  readonly #schema: () => Tables
  /** Undefined until something reads: before that nothing can be out of date. */
  #tables: StatementTables | undefined
  /** Those of the reader that is running. */
  #sources: Sources | undefined
  #about: { readonly table: string; readonly subject: Subject } | undefined
  #changing: Required<Pick<Change, 'table' | 'subjects'>> | undefined
  /** What the open transaction has changed. */
  readonly #changes: Change[] = []
  /** By table: a value that takes in the changes that say so, and since when it is kept. */
  readonly #followers = new Map<string, { readonly value: unknown; readonly clock: number }>()

  constructor(schema: () => Tables, bytesKept: number = VALUES_KEPT) {
    this.#schema = schema
    this.values = new ValueCache(this.stamps, bytesKept)
  }

  begin(): void {
    this.#changes.length = 0
  }

  /** The transaction was rolled back: what was read of its changes has not come true. */
  rollBack(): void {
    for (const change of this.#changes) {
      this.stamps.changed(change)
      this.#followers.delete(change.table)
    }
    this.#changes.length = 0
  }

  /** @throws Error when a reader changes something */
  note(statement: string): void {
    // Its tables are not there yet while the store is new.
    if (!this.#sources && !this.#tables) return
    this.#tables ??= new StatementTables(this.#schema())
    const { reads, writes } = this.#tables.of(statement)
    if (this.#sources && writes.length > 0) throw new Error(`A reader changes the store: ${statement}`)
    for (const part of reads) this.#sources?.add(this.#partOf(part), this.stamps.clock)
    for (const { table, columns } of writes) {
      const subjects = this.#changing?.table === table ? this.#changing.subjects : undefined
      this.#noteChange({ table, columns, subjects })
    }
  }

  /** Returns a value that was made before, while it is current, or else makes it. One of undefined is not kept. */
  kept<Value>(key: string, make: () => Value): Value {
    const known = this.findKept<Value>(key)
    if (known !== undefined) return known
    const sources = new Sources()
    const value = this.reading(sources, make)
    this.#sources?.addAll(sources)
    if (value !== undefined) this.values.keep(`kept ${key}`, { value, sources })
    return value
  }

  findKept<Value>(key: string): Value | undefined {
    const known = this.values.find(`kept ${key}`)
    if (known) this.noteSources(known.sources)
    return known?.value as Value | undefined
  }

  /** Notes of what a value was made that is used. */
  noteSources(sources: Sources): void {
    this.#sources?.addAll(sources)
  }

  /** Returns a value that takes in changes of the table itself where they name no subject; after others it is made anew. */
  following<Value>(table: string, make: () => Value): Value {
    // From now on each change is noted.
    this.#tables ??= new StatementTables(this.#schema())
    this.#sources?.add({ table }, this.stamps.clock)
    const known = this.#followers.get(table)
    if (known && this.stamps.isCurrent({ table, subject: FOLLOWED }, known.clock)) return known.value as Value
    const value = make()
    this.#followers.set(table, { value, clock: this.stamps.clock })
    return value
  }

  /** Forgets all that is kept: tests change rows where nobody sees it. */
  forget(): void {
    this.values.clear()
    this.#followers.clear()
  }

  /** Runs what makes a value, or a part of it. What it reads are sources of the value. */
  reading<Result>(sources: Sources, run: () => Result): Result {
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
      if (areMade) this.#noteChange({ table, subjects: subjects(result) })
      return result
    } finally {
      this.#changing = outer
    }
  }

  #partOf(part: Part): Part {
    return this.#about?.table === part.table ? { ...part, subject: this.#about.subject } : part
  }

  #noteChange(change: Change): void {
    this.stamps.changed(change)
    this.#changes.push(change)
  }
}
