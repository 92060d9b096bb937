/** Values that SQLite binds and returns. */
export type SqlValue = string | number | null | ArrayBuffer | Uint8Array

/**
 * The realm's SQLite for reading: synchronous, with positional parameters (at most 100).
 *
 * The caller, the `*-rows.ts` file that owns the table, states the row types.
 */
export interface Sql {
  /** Rows read and written by these statements so far, by which work is measured. */
  readonly counts: Readonly<RowCounts>
  /** The number of statements so far: one that finds nothing also takes time. */
  readonly statements: number
  all<Row>(query: string, ...params: SqlValue[]): Row[]
  /** Iterates over rows lazily. The database must not be changed meanwhile. */
  each<Row>(query: string, ...params: SqlValue[]): Iterable<Row>
  first<Row>(query: string, ...params: SqlValue[]): Row | undefined
  /**
   * Returns what `make` reads, and caches it under `key` until something that it read changes, within the limit of all cached values. An
   * undefined result is not cached.
   */
  kept<Value>(key: string, make: () => Value): Value
  /** Returns the cached value of the key, if any. */
  findKept<Value>(key: string): Value | undefined
  /**
   * Returns a cached value of a table that its owner updates itself with changes that name no subject (`changing`); after any other change
   * it is made again.
   */
  following<Value>(table: string, make: () => Value): Value
  /**
   * Runs a read that depends only on what the table says about the subject: a channel, an account, a key. The result stays current while
   * other subjects change.
   */
  about<Value>(table: string, subject: number | string, read: () => Value): Value
}

/** SQLite in a transaction. Statements that change rows need this interface, so code that gets `Sql` cannot change any. */
export interface WritableSql extends Sql {
  /** Runs a write and returns the number of rows written, as the platform bills them. */
  run(query: string, ...params: SqlValue[]): number
  /** Runs a write of at most one row and returns its RETURNING. If there are more rows, the statement stays open and the commit fails. */
  runForFirst<Row>(query: string, ...params: SqlValue[]): Row | undefined
  /** Runs a write and returns all rows of its RETURNING. */
  runForAll<Row>(query: string, ...params: SqlValue[]): Row[]
  /** Runs a change of only what the table says about these subjects (`about`). `subjects` is a function if the change creates them. */
  changing<Value>(
    table: string,
    subjects: readonly (number | string)[] | ((result: Value) => readonly (number | string)[]),
    change: () => Value,
  ): Value
  /** Marks the start of a transaction: reads of tables that it changes are cached only once it commits. */
  noteBegin(): void
  /** Marks a rollback: cached reads of the tables that the transaction changed are dropped. */
  noteRollback(): void
}

/** Rows as the platform bills them: each index entry and each deletion counts as one. */
export interface RowCounts {
  read: number
  written: number
}

/** Rows of a table to adjust when the clock is set back, in parts, by realm/jobs/follow-clock.ts. Each table's own file describes them. */
export interface RowsOfClock {
  readonly table: string
  /** The columns of its key, in order. */
  readonly keys: readonly string[]
  /** SQL of the assignment, with one parameter. */
  readonly set: string
  /** The parameter: the seconds by which the clock was set back, or the new time (UNIX seconds). */
  readonly given: 'seconds' | 'now'
  /** SQL condition for the rows; absent: all. */
  readonly where?: string
}

/** Describes rows that became due by the old clock, some time after they were entered, begun or failed: they are made due earlier. */
export function hastenedRows(table: string, keys: readonly string[], where?: string): RowsOfClock {
  return { table, keys, set: 'due_at = due_at - ?', given: 'seconds', ...(where ? { where } : {}) }
}
