/** Values that SQLite binds and returns. */
export type SqlValue = string | number | null | ArrayBuffer | Uint8Array

/**
 * The realm's SQLite as domain code sees it: synchronous, positional parameters (at most 100).
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
  /** Runs a write. */
  run(query: string, ...params: SqlValue[]): void
}

/** Rows as the platform bills them: each index entry and each deletion is one. */
export interface RowCounts {
  read: number
  written: number
}
