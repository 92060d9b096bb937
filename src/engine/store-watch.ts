import { VALUES_KEPT } from '../core/budgets.ts'
import type { ChangesForD1 } from '../core/sql.ts'
import { type Change, type Part, Sources, Stamps, type Subject } from './stamps.ts'
import { ValueCache } from './value-cache.ts'

/** A subject that no change names: it is current as long as each change has named its own subjects. */
const FOLLOWED = 'followed'

/** Sees each statement before it runs: what it changes gets a stamp, and what a reader reads becomes a source of the value. */
export class StoreWatch {
  readonly stamps = new Stamps()
  readonly values: ValueCache
  readonly #schema: () => Tables
  /** Undefined until the first read: until then nothing can be out of date. */
  #tables: StatementTables | undefined
  /** Sources of the reader that is running. */
  #sources: Sources | undefined
  #about: { readonly table: string; readonly subject: Subject } | undefined
  #changing: Required<Pick<Change, 'table' | 'subjects'>> | undefined
  /** Changes of the open transaction. */
  readonly #changes: Change[] = []
  readonly changesForD1: ChangesForD1 = { accounts: new Map(), realm: false }
  /** By table: a value that follows the changes it is told of, and since when it is kept. */
  readonly #followers = new Map<string, { readonly value: unknown; readonly clock: number }>()

  constructor(schema: () => Tables, bytesKept: number = VALUES_KEPT) {
    this.#schema = schema
    this.values = new ValueCache(this.stamps, bytesKept)
  }

  begin(): void {
    this.#changes.length = 0
    this.changesForD1.accounts.clear()
    this.changesForD1.realm = false
  }

  /** Called when the transaction was rolled back: values that were read from its changes are wrong. */
  rollBack(): void {
    for (const change of this.#changes) {
      this.stamps.changed(change)
      this.#followers.delete(change.table)
    }
    this.#changes.length = 0
  }

  /** @throws Error when a reader changes something */
  note(statement: string): void {
    // A new store has no tables yet.
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

  /** Returns a kept value while it is current, or else makes it. A value of undefined is not kept. */
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

  /** Notes the sources of a value that is used. */
  noteSources(sources: Sources): void {
    this.#sources?.addAll(sources)
  }

  /** Returns a value that follows, by itself, changes of the table that name no subject; other changes have it made anew. */
  following<Value>(table: string, make: () => Value): Value {
    // Each change is noted from now on.
    this.#tables ??= new StatementTables(this.#schema())
    this.#sources?.add({ table }, this.stamps.clock)
    const known = this.#followers.get(table)
    if (known && this.stamps.isCurrent({ table, subject: FOLLOWED }, known.clock)) return known.value as Value
    const value = make()
    this.#followers.set(table, { value, clock: this.stamps.clock })
    return value
  }

  /** Forgets all kept values: tests change rows behind the back of the watch. */
  forget(): void {
    this.values.clear()
    this.#followers.clear()
  }

  /** Runs a function that makes a value, or a part of one, and collects what it reads as sources of the value. */
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

  /** Runs a function that reads only the table's rows about the subject. */
  about<Result>(table: string, subject: Subject, read: () => Result): Result {
    const outer = this.#about
    this.#about = { table, subject }
    try {
      return read()
    } finally {
      this.#about = outer
    }
  }

  /**
   * Runs a function that changes only what the table says about these subjects. `subjects` is a function where the change determines them.
   */
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

/** The tables of the store with their columns, and what its triggers do. */
export interface Tables {
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[]
  readonly triggers: readonly { readonly table: string; readonly sql: string }[]
}

export interface TablesOfStatement {
  /** The tables that it names, with the columns that it names. */
  readonly reads: readonly Part[]
  /** The tables that it, or a trigger, may change. */
  readonly writes: readonly Change[]
}

const WRITTEN =
  /\b(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+(\w+)/gi

/** A statement that sets columns to given values, so that its text shows which columns change. */
const PLAIN_UPDATE = /^\s*UPDATE (\w+) SET (\w+ = (?:\?\d*|\d+)(?:, \w+ = (?:\?\d*|\d+))*)\s+WHERE\b/

/** Number of statements that are kept. The code has some hundreds; composed ones could be more. */
const STATEMENTS = 5_000

/** Tells from the text of a statement which tables and columns it reads and writes. */
class StatementTables {
  /** Columns by table. */
  readonly #columns: ReadonlyMap<string, readonly string[]>
  /** By table: the tables that change with it, through triggers and their triggers. */
  readonly #following = new Map<string, ReadonlySet<string>>()
  readonly #known = new Map<string, TablesOfStatement>()

  constructor({ tables, triggers }: Tables) {
    this.#columns = new Map(tables.map(({ name, columns }) => [name, columns]))
    const writes = new Map<string, string[]>()
    for (const { table, sql } of triggers) {
      // The first table in the text belongs to the trigger's head, which says when it runs.
      writes.set(table, [...(writes.get(table) ?? []), ...this.#written(bodyOf(sql))])
    }
    for (const name of this.#columns.keys()) this.#following.set(name, reachedFrom(name, writes))
  }

  of(statement: string): TablesOfStatement {
    const known = this.#known.get(statement)
    if (known) return known
    if (this.#known.size >= STATEMENTS) this.#known.clear()
    const tables = { reads: this.#readBy(statement), writes: this.#changedBy(statement) }
    this.#known.set(statement, tables)
    return tables
  }

  #readBy(statement: string): Part[] {
    const words = new Set(statement.match(/\w+/g))
    const names = [...words].filter((word) => this.#columns.has(word))
    if (statement.includes('*')) return names.map((table) => ({ table }))
    return names.map((table) => {
      const columns = this.#columns.get(table)!.filter((column) => words.has(column))
      return columns.length > 0 ? { table, columns } : { table }
    })
  }

  #changedBy(statement: string): Change[] {
    const [, updated, values] = PLAIN_UPDATE.exec(statement) ?? []
    const columns = values?.split(', ').map((value) => value.split(' ')[0]!)
    const written = this.#written(statement)
    const changed = new Set(written.flatMap((name) => [...this.#following.get(name)!]))
    return [...changed].map((table) => (table === updated ? { table, columns } : { table }))
  }

  #written(sql: string): string[] {
    return [...sql.matchAll(WRITTEN)].map(([, name]) => name!).filter((name) => this.#columns.has(name))
  }
}

function bodyOf(trigger: string): string {
  return trigger.slice(/\bBEGIN\b/i.exec(trigger)?.index ?? 0)
}

/** Returns the table and all tables that change after it. */
function reachedFrom(table: string, writes: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set([table])
  for (const name of reached) for (const next of writes.get(name) ?? []) reached.add(next)
  return reached
}
