/** Values that SQLite binds and returns. */
export type SqlValue = string | number | null | ArrayBuffer | Uint8Array

/** A parameter of a statement. A list is bound as JSON, for `json_each`. */
export type SqlParameter = SqlValue | readonly unknown[]

export function bound(parameter: SqlParameter): SqlValue {
  return Array.isArray(parameter) ? JSON.stringify(parameter) : (parameter as SqlValue)
}

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
  all<Row>(query: string, ...params: SqlParameter[]): Row[]
  /** Iterates over rows lazily. The database must not be changed meanwhile. */
  each<Row>(query: string, ...params: SqlParameter[]): Iterable<Row>
  first<Row>(query: string, ...params: SqlParameter[]): Row | undefined
  /** Returns the one column that the statement selects, of each row. */
  values<Value = number>(query: string, ...params: SqlParameter[]): Value[]
  /** Returns the one column that the statement selects, of its first row; undefined without one, or for NULL. */
  value<Value = number>(query: string, ...params: SqlParameter[]): Value | undefined
  /** Returns the list that a statement makes of all its rows: one row of JSON costs less than a row for each item. */
  list<Item = number>(query: string, ...params: SqlParameter[]): Item[]
  /** Whether the statement finds a row. */
  finds(query: string, ...params: SqlParameter[]): boolean
  /**
   * Returns what `make` reads, and caches it under `key` until something that it read changes, within the limit of all cached values. An
   * undefined result is not cached.
   */
  kept<Value>(key: string, make: () => Value): Value
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
  run(query: string, ...params: SqlParameter[]): number
  /** Runs a write of at most one row and returns its RETURNING. If there are more rows, the statement stays open and the commit fails. */
  runForFirst<Row>(query: string, ...params: SqlParameter[]): Row | undefined
  /** Runs a write and returns all rows of its RETURNING. */
  runForAll<Row>(query: string, ...params: SqlParameter[]): Row[]
  /** Runs a write and returns the one column of its RETURNING, of each row. */
  runForValues<Value = number>(query: string, ...params: SqlParameter[]): Value[]
  /** Runs a write of at most one row and returns the one column of its RETURNING. */
  runForValue<Value = number>(query: string, ...params: SqlParameter[]): Value | undefined
  /** Runs a write of at most one row and returns whether its RETURNING has one. */
  runForAny(query: string, ...params: SqlParameter[]): boolean
  /** Runs a change of only what the table says about these subjects (`about`). `subjects` is a function if the change creates them. */
  changing<Value>(
    table: string,
    subjects: readonly (number | string)[] | ((result: Value) => readonly (number | string)[]),
    change: () => Value,
  ): Value
  /** What the open transaction has changed of what D1 has too. */
  readonly changesForD1: ChangesForD1
  /** Marks the start of a transaction: reads of tables that it changes are cached only once it commits. */
  noteBegin(): void
  /** Marks a rollback: cached reads of the tables that the transaction changed are dropped. */
  noteRollback(): void
}

/** Changes that D1 has to get with the commit (model/projection/projected-account.ts). The functions that write the rows note them. */
export interface ChangesForD1 {
  /** Accounts, and whether what D1 finds them by has changed: their address or their key. */
  readonly accounts: Map<number, boolean>
  /** Whether the organization's name, or whether it is closed, has changed. */
  realm: boolean
}

/** Rows as the platform bills them: each index entry and each deletion counts as one. */
export interface RowCounts {
  read: number
  written: number
}
