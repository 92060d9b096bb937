import type { Audience } from '../core/audience.ts'
import type { D1Write, LogEvent } from '../core/realm-transaction.ts'
import type { Sql } from '../core/sql.ts'

/**
 * The log is the only stream (DESIGN 3): event queues and D1 are cursors on it. One row an event,
 * however many may see it; a row without an event carries D1 writes alone.
 */
export interface LogEntry {
  readonly id: number
  /** UNIX seconds. */
  readonly at: number
  readonly event: LogEvent | null
  readonly audience: Audience | null
  readonly writes: readonly D1Write[]
}

interface LogRow {
  id: number
  at: number
  audience: string | null
  event: string | null
  writes: string | null
}

export function insertLogEntry(sql: Sql, entry: LogEntry): void {
  sql.run(
    `INSERT INTO log (id, at, audience, event, writes) VALUES (?, ?, ?, ?, ?)`,
    entry.id,
    Math.floor(entry.at),
    entry.audience ? JSON.stringify(entry.audience) : null,
    entry.event ? JSON.stringify(entry.event) : null,
    entry.writes.length > 0 ? JSON.stringify(entry.writes) : null,
  )
}

export function readLogAfter(sql: Sql, id: number, limit: number): LogEntry[] {
  return sql.all<LogRow>(`SELECT * FROM log WHERE id > ? ORDER BY id LIMIT ?`, id, limit).map(entryOf)
}

export function readLogEntry(sql: Sql, id: number): LogEntry | undefined {
  const row = sql.first<LogRow>(`SELECT * FROM log WHERE id = ?`, id)
  return row && entryOf(row)
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
export function trimLog(sql: Sql, upTo: number): void {
  sql.run(`DELETE FROM log WHERE id <= ? AND id < (SELECT MAX(id) FROM log)`, upTo)
}

function entryOf(row: LogRow): LogEntry {
  return {
    id: row.id,
    at: row.at,
    audience: row.audience === null ? null : (JSON.parse(row.audience) as Audience),
    event: row.event === null ? null : (JSON.parse(row.event) as LogEvent),
    writes: row.writes === null ? [] : (JSON.parse(row.writes) as D1Write[]),
  }
}
