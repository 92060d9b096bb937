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
