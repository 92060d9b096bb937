/**
 * Rows of a table that change when the clock is set back, which realm/jobs/follow-clock.ts does in parts. A table's own file describes
 * them.
 */
export interface RowsOfClock {
  readonly table: string
  /** The columns of its key, in order. */
  readonly keys: readonly string[]
  /** SQL: what is set, with one parameter. */
  readonly set: string
  /** The parameter: the seconds by which the clock was set back, or the time afterwards (UNIX seconds). */
  readonly given: 'seconds' | 'now'
  /** SQL: which rows change; absent: all. */
  readonly where?: string
}

/** Describes rows that are due some time after they were entered, begun or have failed: by the old clock, so that they are hastened. */
export function hastenedRows(table: string, keys: readonly string[], where?: string): RowsOfClock {
  return { table, keys, set: 'due_at = due_at - ?', given: 'seconds', ...(where ? { where } : {}) }
}
