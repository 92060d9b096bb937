import type { Audience } from '../core/audience.ts'
import type { D1Write, LogEvent } from '../core/realm-transaction.ts'
import type { Sql, SqlValue } from '../core/sql.ts'

/**
 * The log is the only stream (DESIGN 3): event queues and D1 are cursors on it. One row an event,
 * however many may see it; a row without an event carries D1 writes alone.
 *
 * Its two kinds of reader each read their own columns, as `LoggedEvent` and as `LoggedWrites`.
 */
export interface LogEntry {
  readonly id: number
  /** UNIX seconds. */
  readonly at: number
  readonly event: LogEvent | null
  readonly audience: Audience | null
  readonly writes: readonly D1Write[]
}

/** What event queues read. */
export interface LoggedEvent {
  readonly id: number
  readonly event: LogEvent
  readonly audience: Audience
}

/** What the projection to D1 reads. */
export interface LoggedWrites {
  readonly id: number
  readonly writes: readonly D1Write[]
}

/**
 * Writes over the oldest row when every cursor has passed it: an update is one row written, where a
 * deletion and an insertion are two.
 */
export function insertLogEntry(sql: Sql, entry: LogEntry): void {
  const row: SqlValue[] = [
    entry.id,
    Math.floor(entry.at),
    entry.audience ? JSON.stringify(entry.audience) : null,
    entry.event ? JSON.stringify(entry.event) : null,
    entry.writes.length > 0 ? JSON.stringify(entry.writes) : null,
  ]
  const reused = sql.first(
    `UPDATE log SET id = ?, at = ?, audience = ?, event = ?, writes = ?
     WHERE id = (SELECT MIN(id) FROM log) AND id <= (SELECT value FROM meta WHERE key = 'trimmed')
     RETURNING id`,
    ...row,
  )
  if (!reused) sql.run(`INSERT INTO log (id, at, audience, event, writes) VALUES (?, ?, ?, ?, ?)`, ...row)
}

/** The first `limit` events above `id`, ascending. */
export function readEventsAfter(sql: Sql, id: number, limit: number): LoggedEvent[] {
  return sql
    .all<{ id: number; audience: string; event: string }>(
      `SELECT id, audience, event FROM log WHERE id > ? AND event IS NOT NULL ORDER BY id LIMIT ?`,
      id,
      limit,
    )
    .map((row) => ({
      id: row.id,
      event: JSON.parse(row.event) as LogEvent,
      audience: JSON.parse(row.audience) as Audience,
    }))
}

/** The first `limit` entries above `id` that ask something of D1, ascending. */
export function readWritesAfter(sql: Sql, id: number, limit: number): LoggedWrites[] {
  return sql
    .all<{ id: number; writes: string }>(
      `SELECT id, writes FROM log WHERE id > ? AND writes IS NOT NULL ORDER BY id LIMIT ?`,
      id,
      limit,
    )
    .map((row) => ({ id: row.id, writes: JSON.parse(row.writes) as D1Write[] }))
}

/** What one entry asks of D1; [] when it is not there. */
export function readWritesOf(sql: Sql, id: number): readonly D1Write[] {
  const row = sql.first<{ writes: string | null }>(`SELECT writes FROM log WHERE id = ?`, id)
  return row?.writes ? (JSON.parse(row.writes) as D1Write[]) : []
}

/** Highest id in the log, 0 when nothing has happened yet. */
export function newestLogId(sql: Sql): number {
  return sql.first<{ id: number | null }>(`SELECT MAX(id) AS id FROM log`)?.id ?? 0
}

/** Lowest id still kept, or undefined when the log is empty. */
export function oldestLogId(sql: Sql): number | undefined {
  return sql.first<{ id: number | null }>(`SELECT MIN(id) AS id FROM log`)?.id ?? undefined
}

/** Removes what every cursor has passed. The newest row stays: it remembers the highest id. */
export function deleteLogEntries(sql: Sql, upTo: number): void {
  sql.run(`DELETE FROM log WHERE id <= ? AND id < (SELECT MAX(id) FROM log)`, upTo)
}
