/** Values that SQLite binds and returns. */
export type SqlValue = string | number | null | ArrayBuffer | Uint8Array

/**
 * The realm's SQLite as a reader sees it: synchronous, positional parameters (at most 100).
 *
 * Row types are stated by the caller, in the `*-rows.ts` file that owns the table.
 */
export interface Sql {
  /** Rows that these statements have read and written so far: what budgets of work are measured by. */
  readonly counts: Readonly<RowCounts>
  all<Row>(query: string, ...params: SqlValue[]): Row[]
  /** Row after row, of which no more are read than are asked for. The database must not be changed meanwhile. */
  each<Row>(query: string, ...params: SqlValue[]): Iterable<Row>
  first<Row>(query: string, ...params: SqlValue[]): Row | undefined
  /**
   * Keeps what `make` reads of accounts, the groups they are in, the organization's settings, linkifiers and the names of
   * clients, which nearly every call needs and hardly any changes, or of queues, of channels and who is in them, or of topics and
   * who has set something for them (realm/calls/kept-reads.ts has the tables):
   * made once, and kept under `key` until a statement changes one of these tables, or too much of the group is kept. What is
   * not there (undefined) is looked for each time.
   */
  kept<Value>(key: string, make: () => Kept<Value>, group?: KeptGroup): Value
}

/** SQLite in a transaction. A statement that changes rows goes through here, so that nothing that was given `Sql` can make it. */
export interface WritableSql extends Sql {
  /** Runs a write. */
  run(query: string, ...params: SqlValue[]): void
  /** Runs a write, and gives the first row of its RETURNING. */
  runForFirst<Row>(query: string, ...params: SqlValue[]): Row | undefined
  /** Runs a write, and gives all rows of its RETURNING. */
  runForAll<Row>(query: string, ...params: SqlValue[]): Row[]
  /** A transaction was rolled back: what was read in it has not come true. */
  forgetKept(): void
}

/** The groups of reads that are kept, and forgotten, together. */
export type KeptGroup = 'accounts' | 'queues' | 'channels' | 'topics'

/** `size` in characters, as it counts to what is kept. */
export interface Kept<Value> {
  readonly value: Value
  readonly size: number
}

/** Rows as the platform bills them: each index entry and each deletion is one. */
export interface RowCounts {
  read: number
  written: number
}
