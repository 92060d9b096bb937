import type { Change, Part } from './stamps.ts'

/** The tables of the store with their columns, and what its triggers do. */
export interface Tables {
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[]
  readonly triggers: readonly { readonly table: string; readonly sql: string }[]
}

export interface TablesOfStatement {
  /** Those that it names, with the columns that it names. */
  readonly reads: readonly Part[]
  /** Those that it, or a trigger that follows, may change. */
  readonly writes: readonly Change[]
}

const WRITTEN =
  /\b(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+(\w+)/gi

/** A statement that gives columns values which it does not read: whose columns are known by its text. */
const PLAIN_UPDATE = /^\s*UPDATE (\w+) SET (\w+ = (?:\?\d*|\d+)(?:, \w+ = (?:\?\d*|\d+))*)\s+WHERE\b/

/** Number of statements that are known. The code has some hundreds; those that are put together from columns could be more. */
const STATEMENTS = 5_000

/** Knows by the text of a statement which tables and columns it reads and writes. */
export class StatementTables {
  /** Columns by table. */
  readonly #columns: ReadonlyMap<string, readonly string[]>
  /** By table: those that change with it, by triggers of triggers too. */
  readonly #following = new Map<string, ReadonlySet<string>>()
  readonly #known = new Map<string, TablesOfStatement>()

  constructor({ tables, triggers }: Tables) {
    this.#columns = new Map(tables.map(({ name, columns }) => [name, columns]))
    const writes = new Map<string, string[]>()
    for (const { table, sql } of triggers) {
      // The first table is named by the trigger's own head, which says when it runs.
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

/** Returns the table with all that change after it. */
function reachedFrom(table: string, writes: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set([table])
  for (const name of reached) for (const next of writes.get(name) ?? []) reached.add(next)
  return reached
}
