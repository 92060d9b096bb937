import type { Audience } from '../core/audience.ts'
import { fromJson, type JsonText } from '../core/json.ts'
import { inParts } from '../core/parts-of-lists.ts'
import type { D1Write, LogEvent, MemorySlot, StoredEvent } from '../core/realm-transaction.ts'
import type { Sql, WritableSql } from '../core/sql.ts'

/**
 * An entry of the log, which is the only stream (docs/decisions/design.md#the-log-is-the-only-stream): event
 * queues and D1 are cursors on it. One row for each event, however many may see it; a row without an event
 * has D1 writes alone.
 *
 * Each of the two kinds of reader reads its own columns, as `LoggedEvent` and as `LoggedWrites`.
 */
export interface LogEntry {
  readonly id: number
  /** UNIX seconds. */
  readonly at: number
  readonly event: StoredEvent | null
  readonly audience: Audience | null
  readonly writes: readonly D1Write[]
}

/** An entry as event queues read it. */
export interface LoggedEvent {
  readonly id: number
  readonly event: LogEvent
  readonly audience: Audience
  /** Characters of event and audience as JSON. */
  readonly size: number
}

/** Limit of the part of the log that is read at a time, plus one entry. */
export interface ReadBudget {
  readonly entries: number
  /** Characters of JSON. */
  readonly characters: number
}

/** The first events above an id, ascending. */
export interface ReadEvents {
  readonly events: readonly LoggedEvent[]
  /** The id up to which these events are complete; Infinity when none follow. */
  readonly upTo: number
  /** Characters of JSON that were read from the log, not from memory. */
  readonly charactersOfLog: number
}

/** An entry as the projection to D1 reads it. */
export interface LoggedWrites {
  readonly id: number
  readonly writes: readonly D1Write[]
}

/** The writes of an entry, with their size. */
export interface SizedWrites extends LoggedWrites {
  /** Bytes of the writes as JSON. */
  readonly bytes: number
}

/** Size of an entry's event (`LoggedEvent`), and the bytes of its writes. */
export interface EntrySize {
  readonly size: number
  readonly bytes: number
}

type LogSql = Pick<WritableSql, 'all' | 'run' | 'runForAny'>

/** Rows that one statement inserts: of six values each, of 100 that a statement may have. */
const ROWS_OF_A_STATEMENT = 16

/** Free rows that one statement overwrites: it names seven values of each. */
const OVERWRITTEN_AT_ONCE = 14

interface LogEnds {
  /** Id of the newest row. */
  newest: number
  /** Whether there may be rows that every cursor has passed. */
  hasFree: boolean
}

/** Forgotten whenever the mark up to which rows are free has moved (realm/jobs/housekeeping.ts). */
export const LOG_ENDS: MemorySlot<LogEnds> = {
  name: 'log-ends',
  load: (sql) => ({ newest: newestLogId(sql), hasFree: true }),
}

/**
 * Writes the entries of a commit, over the oldest rows while every cursor has passed them: an update is one row written, where a deletion
 * and an insertion are two. Once no row is free, none is looked for again until the mark moves: a commit may have thousands of entries, and
 * most have one. Each row names the one before, since ids have gaps. Returns their sizes.
 */
export function insertLogEntries(sql: LogSql, entries: readonly LogEntry[], ends: LogEnds): EntrySize[] {
  const rows = entries.map((entry) => {
    const previous = ends.newest
    ends.newest = entry.id
    return rowOf(entry, previous)
  })
  const added = rows.slice(overwriteFree(sql, rows, ends))
  for (const some of inParts(added, ROWS_OF_A_STATEMENT)) {
    const values = some.map(() => '(?, ?, ?, ?, ?, ?)').join()
    sql.run(`INSERT INTO log (id, at, audience, event, writes, previous) VALUES ${values}`, ...some.flat())
  }
  return rows.map(([, , audience, event, writes]) => ({
    size: (audience?.length ?? 0) + (event?.length ?? 0),
    bytes: writes === null ? 0 : Buffer.byteLength(writes),
  }))
}

type LogRow = [
  id: number,
  at: number,
  audience: string | null,
  event: string | null,
  writes: string | null,
  previous: number,
]

function rowOf({ id, at, audience, event, writes }: LogEntry, previous: number): LogRow {
  return [
    id,
    Math.floor(at),
    audience ? JSON.stringify(audience) : null,
    event ? JSON.stringify(event) : null,
    writes.length > 0 ? JSON.stringify(writes) : null,
    previous,
  ]
}

/** Overwrites free rows with the first of these, and returns how many. */
function overwriteFree(sql: LogSql, rows: readonly LogRow[], ends: LogEnds): number {
  let overwritten = 0
  while (ends.hasFree && overwritten < rows.length) {
    const some = rows.slice(overwritten, overwritten + OVERWRITTEN_AT_ONCE)
    const count = some.length === 1 ? Number(overwritesOldest(sql, some[0]!)) : overwriteOldest(sql, some)
    overwritten += count
    if (count < some.length) ends.hasFree = false
  }
  return overwritten
}

/** Overwrites as many of the oldest rows as are free, for a commit with many entries: a statement for each takes some 50 µs. */
function overwriteOldest(sql: LogSql, rows: readonly LogRow[]): number {
  const free = sql.all<{ id: number }>(
    `SELECT id FROM log WHERE id <= (SELECT value FROM meta WHERE key = 'trimmed') ORDER BY id LIMIT ?`,
    rows.length,
  )
  if (free.length === 0) return 0
  sql.run(
    `UPDATE log SET id = column2, at = column3, audience = column4, event = column5, writes = column6, previous = column7
     FROM (VALUES ${free.map(() => '(?, ?, ?, ?, ?, ?, ?)').join()}) WHERE log.id = column1`,
    ...free.flatMap(({ id }, at) => [id, ...rows[at]!]),
  )
  return free.length
}

function overwritesOldest(sql: LogSql, row: LogRow): boolean {
  return sql.runForAny(
    `UPDATE log SET id = ?, at = ?, audience = ?, event = ?, writes = ?, previous = ?
     WHERE id = (SELECT MIN(id) FROM log) AND id <= (SELECT value FROM meta WHERE key = 'trimmed')
     RETURNING id`,
    ...row,
  )
}

/** Entries without an event count too, since a long range of them must not be read in one go. */
export function readEventsAfter(sql: Sql, id: number, budget: ReadBudget): ReadEvents {
  const rows = sql.each<{
    id: number
    audience: JsonText<Audience> | null
    event: JsonText<LogEvent> | null
  }>(`SELECT id, audience, event FROM log WHERE id > ? ORDER BY id LIMIT ?`, id, budget.entries)
  const events: LoggedEvent[] = []
  let [upTo, read, characters] = [id, 0, 0]
  for (const { id, audience, event } of rows) {
    ;[upTo, read] = [id, read + 1]
    if (audience === null || event === null) continue
    const size = audience.length + event.length
    events.push({
      id,
      event: fromJson(event),
      audience: fromJson(audience),
      size,
    })
    characters += size
    if (characters >= budget.characters) return { events, upTo, charactersOfLog: characters }
  }
  if (read < budget.entries) upTo = Number.POSITIVE_INFINITY
  return { events, upTo, charactersOfLog: characters }
}

/** Limit of the writes that are read at once: at least one entry. */
export interface WritesBudget {
  readonly entries: number
  /** Bytes of the writes as JSON. */
  readonly bytes: number
  /** Number of writes: a deletion is short, but parsed like any other. The last entry may have more. */
  readonly writes: number
}

/** Returns the first entries above `id` with writes to D1, ascending, as many as the budget allows. */
export function readWritesAfter(sql: Sql, id: number, budget: WritesBudget): SizedWrites[] {
  const rows = sql.each<{ id: number; writes: JsonText<D1Write[]>; bytes: number }>(
    `SELECT id, writes, octet_length(writes) AS bytes FROM log
     WHERE id > ? AND writes IS NOT NULL ORDER BY id LIMIT ?`,
    id,
    budget.entries,
  )
  const taken: SizedWrites[] = []
  let [bytesLeft, writesLeft] = [budget.bytes, budget.writes]
  for (const { id, writes, bytes } of rows) {
    bytesLeft -= bytes
    if (bytesLeft < 0 && taken.length > 0) break
    const entry = { id, writes: fromJson(writes), bytes }
    taken.push(entry)
    writesLeft -= entry.writes.length
    if (writesLeft <= 0) break
  }
  return taken
}

/** Whether any entry above `id` has writes to D1. */
export function hasWritesAfter(sql: Sql, id: number): boolean {
  return sql.finds(`SELECT 1 FROM log WHERE id > ? AND writes IS NOT NULL LIMIT 1`, id)
}

/** Returns the D1 writes of one entry; [] without such an entry. */
export function readWritesOf(sql: Sql, id: number): readonly D1Write[] {
  const row = sql.first<{ writes: JsonText<D1Write[]> | null }>(`SELECT writes FROM log WHERE id = ?`, id)
  return row?.writes ? fromJson(row.writes) : []
}

/** Returns the highest id in the log, 0 when nothing has happened yet. */
export function newestLogId(sql: Sql): number {
  return sql.value(`SELECT MAX(id) AS id FROM log`) ?? 0
}

/** Returns id and time (UNIX seconds) of the newest entry; 0 when nothing has happened yet. */
export function newestLogTime(sql: Sql): { readonly id: number; readonly at: number } {
  return (
    sql.first<{ id: number; at: number }>(`SELECT id, at FROM log ORDER BY id DESC LIMIT 1`) ?? {
      id: 0,
      at: 0,
    }
  )
}

/**
 * Returns the highest id from `time` (UNIX seconds) or before, 0 without one. Ids and times grow together, so
 * it reads a few rows however long the log is; where a clock was set back, an id may count as slightly older.
 */
export function newestLogIdBefore(sql: Sql, time: number): number {
  let [old, young] = [0, newestLogId(sql) + 1]
  while (young - old > 1) {
    const middle = Math.floor((old + young) / 2)
    // The newest up to there, since ids have gaps.
    const entry = sql.first<{ id: number; at: number }>(
      `SELECT id, at FROM log WHERE id <= ? ORDER BY id DESC LIMIT 1`,
      middle,
    )
    if (entry === undefined || entry.id <= old) old = middle
    else if (entry.at <= Math.floor(time)) old = middle
    else young = entry.id
  }
  return sql.value(`SELECT MAX(id) AS id FROM log WHERE id <= ?`, old) ?? 0
}

/**
 * Returns the id of the last of the oldest entries that the budget allows, at least one; undefined without entries up to `upTo`. Bytes
 * are counted without reading the texts.
 */
export function lastOfOldest(
  sql: Sql,
  upTo: number,
  budget: { readonly entries: number; readonly bytes: number },
): number | undefined {
  const rows = sql.each<{ id: number; bytes: number }>(
    `SELECT id, ifnull(octet_length(audience), 0) + ifnull(octet_length(event), 0) + ifnull(octet_length(writes), 0) AS bytes
     FROM log WHERE id <= ? ORDER BY id LIMIT ?`,
    upTo,
    budget.entries,
  )
  let last: number | undefined
  let room = budget.bytes
  for (const { id, bytes } of rows) {
    room -= bytes
    if (room < 0 && last !== undefined) return last
    last = id
  }
  return last
}

/** Deletes entries that every cursor has passed. The newest row stays without content, since it remembers the highest id. */
export function deleteLogEntries(sql: WritableSql, upTo: number): void {
  sql.run(`DELETE FROM log WHERE id <= ? AND id < (SELECT MAX(id) FROM log)`, upTo)
  sql.run(
    `UPDATE log SET audience = NULL, event = NULL, writes = '[]'
     WHERE id = (SELECT MAX(id) FROM log) AND id <= ? AND writes IS NOT '[]'`,
    upTo,
  )
}
