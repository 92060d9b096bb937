import type { Sql } from '../../core/sql.ts'

interface WrongEntries {
  /** Entries with an event without an audience, or with text that is no JSON. */
  readonly broken: readonly number[]
  /** Entries before which one is missing. */
  readonly afterGap: readonly number[]
  /** Where the next call continues. */
  readonly next: number | undefined
}

/** Returns what is wrong with the entries of the log above `id`. */
export function wrongLogEntries(sql: Sql, id: number, limit: number): WrongEntries {
  const next = sql.first<{ id: number }>(
    `SELECT id FROM log WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?`,
    id,
    limit - 1,
  )?.id
  const upTo = next ?? Number.MAX_SAFE_INTEGER
  const broken = sql
    .all<{ id: number }>(
      `SELECT id FROM log WHERE id > ? AND id <= ? AND (
         (event IS NULL) <> (audience IS NULL) OR (event IS NULL AND writes IS NULL)
         OR NOT ifnull(json_valid(event), 1) OR NOT ifnull(json_valid(audience), 1)
         OR NOT ifnull(json_valid(writes), 1)
       )`,
      id,
      upTo,
    )
    .map((row) => row.id)
  const afterGap = sql
    .all<{ id: number }>(
      `SELECT id FROM (
         SELECT id, previous, LAG(id) OVER (ORDER BY id) AS before FROM log WHERE id >= ? AND id <= ?
       ) WHERE previous <> before`,
      id,
      upTo,
    )
    .map((row) => row.id)
  return { broken, afterGap, next }
}
