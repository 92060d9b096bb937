/** Values that SQLite binds and returns. */
export type SqlValue = string | number | null | ArrayBuffer | Uint8Array

/**
 * The realm's SQLite for readers: synchronous, positional parameters (at most 100).
 *
 * The caller states row types, in the `*-rows.ts` file that owns the table.
 */
export interface Sql {
  /** Rows that these statements have read and written so far, by which budgets of work are measured. */
  readonly counts: Readonly<RowCounts>
  /** The number of statements so far: one that finds nothing takes time too. */
  readonly statements: number
  all<Row>(query: string, ...params: SqlValue[]): Row[]
  /** Iterates over rows, and reads no more than are asked for. The database must not be changed meanwhile. */
  each<Row>(query: string, ...params: SqlValue[]): Iterable<Row>
  first<Row>(query: string, ...params: SqlValue[]): Row | undefined
  /**
   * Returns what `make` reads, and keeps it under `key` while nothing of it has changed, within the limit of all values that the object keeps.
   * A result of undefined is not kept.
   */
  kept<Value>(key: string, make: () => Value): Value
  /** Returns what is kept under the key, if anything is. */
  findKept<Value>(key: string): Value | undefined
  /** Returns what is kept of a table and takes in itself the changes that name no subject (`changing`); after another change it is made anew. */
  following<Value>(table: string, make: () => Value): Value
  /**
   * Runs what reads of the table only what it says about the subject: a channel, an account, the key of a value. What a reader reads so stays
   * current while others change.
   */
  about<Value>(table: string, subject: number | string, read: () => Value): Value
}

/**
 * SQLite in a transaction. Statements that change rows go through here, so that code that gets `Sql` cannot
 * make any.
 */
export interface WritableSql extends Sql {
  /** Runs a write, and returns the number of rows written, as the platform bills them. */
  run(query: string, ...params: SqlValue[]): number
  /** Runs a write of one row at most, and returns its RETURNING: where there are more, the statement stays open, and the commit fails. */
  runForFirst<Row>(query: string, ...params: SqlValue[]): Row | undefined
  /** Runs a write, and returns all rows of its RETURNING. */
  runForAll<Row>(query: string, ...params: SqlValue[]): Row[]
  /** Runs what changes of the table only what it says about these subjects (`about`). `subjects` is a function where the change makes them. */
  changing<Value>(
    table: string,
    subjects: readonly (number | string)[] | ((result: Value) => readonly (number | string)[]),
    change: () => Value,
  ): Value
  /** A transaction begins: what is read of tables that it changes is kept only if it is committed. */
  noteBegin(): void
  /** The transaction was rolled back: what was read of the tables that it changed is forgotten. */
  noteRollback(): void
}

/** Rows as the platform bills them: each index entry and each deletion counts as one. */
export interface RowCounts {
  read: number
  written: number
}
