/** The tables of the store, and what its triggers do. */
export interface Tables {
  readonly names: readonly string[]
  readonly triggers: readonly { readonly table: string; readonly sql: string }[]
}

export interface TablesOfStatement {
  /** Those that it names. */
  readonly reads: readonly string[]
  /** Those that it, or a trigger that follows, may change. */
  readonly writes: readonly string[]
}

const WRITTEN =
  /\b(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+(\w+)/gi

/** Number of statements that are known. The code has some hundreds; those that are put together from columns could be more. */
const STATEMENTS = 5_000

/** Tells by the text of a statement which tables it reads and writes. */
export class StatementTables {
  readonly #names: ReadonlySet<string>
  /** By table: those that change with it, by triggers of triggers too. */
  readonly #following = new Map<string, ReadonlySet<string>>()
  readonly #known = new Map<string, TablesOfStatement>()
  readonly #matching = new Map<RegExp, readonly string[]>()

  constructor({ names, triggers }: Tables) {
    this.#names = new Set(names)
    const writes = new Map<string, string[]>()
    for (const { table, sql } of triggers) {
      // The first table is named by the trigger's own head, which says when it runs.
      writes.set(table, [...(writes.get(table) ?? []), ...this.#written(bodyOf(sql))])
    }
    for (const name of names) this.#following.set(name, reachedFrom(name, writes))
  }

  of(statement: string): TablesOfStatement {
    const known = this.#known.get(statement)
    if (known) return known
    if (this.#known.size >= STATEMENTS) this.#known.clear()
    const reads = [...new Set(statement.match(/\w+/g))].filter((word) => this.#names.has(word))
    const writes = new Set(this.#written(statement).flatMap((name) => [...this.#following.get(name)!]))
    const tables = { reads, writes: [...writes] }
    this.#known.set(statement, tables)
    return tables
  }

  /** Returns the tables whose names match. */
  matching(pattern: RegExp): readonly string[] {
    const known = this.#matching.get(pattern)
    if (known) return known
    const names = [...this.#names].filter((name) => pattern.test(name))
    this.#matching.set(pattern, names)
    return names
  }

  #written(sql: string): string[] {
    return [...sql.matchAll(WRITTEN)].map(([, name]) => name!).filter((name) => this.#names.has(name))
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
