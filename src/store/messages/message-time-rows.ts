import { inParts } from '../../core/parts-of-lists.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { notHeld } from '../holds/hold-rows.ts'
import { readMetaJson, writeMeta } from '../meta-rows.ts'
import { MESSAGE_BIT } from './flags/message-bits.ts'
import { type IndexedMessage, MESSAGES, newestMessageId } from './message-rows.ts'

/**
 * Ids of messages by which their times rise. Times rise with ids among the messages that people send, and among those of one import, which
 * have the times of the source, and ids above those of all earlier messages.
 */
export interface IdSegment {
  readonly first: number
  /** Infinity for what people send now. */
  readonly last: number
  /** Whether an import has brought its messages; the few that people have sent meanwhile are among them. */
  readonly isImported: boolean
}

/** Ids of messages that an import has brought, in order. */
type Range = readonly [first: number, last: number, importId: number]

/** Ranges that are kept apart; beyond that, neighbours become one. */
const MAX_RANGES = 50
/** Ids of others between two batches of an import for which they remain one range. */
const MAX_GAP = 1_000

function rangesOf(sql: Sql): readonly Range[] {
  return readMetaJson<Range[]>(sql, 'imported_ranges') ?? []
}

/** Returns the segments by rising ids: a single one, where nothing was ever imported. */
function idSegments(sql: Sql): IdSegment[] {
  const segments: IdSegment[] = []
  let next = 1
  for (const [first, last] of rangesOf(sql)) {
    if (first > next) segments.push({ first: next, last: first - 1, isImported: false })
    segments.push({ first, last, isImported: true })
    next = last + 1
  }
  return [...segments, { first: next, last: Number.POSITIVE_INFINITY, isImported: false }]
}

/** Notes which ids an import has just given. */
export function noteImportedIds(sql: WritableSql, importId: number, first: number, last: number): void {
  const ranges = [...rangesOf(sql)]
  const newest = ranges.at(-1)
  const goesOn = newest?.[2] === importId && first - newest[1] <= MAX_GAP
  if (goesOn) ranges[ranges.length - 1] = [newest[0], last, importId]
  else ranges.push([first, last, importId])
  if (ranges.length > MAX_RANGES) ranges.splice(0, 2, [ranges[0]![0], ranges[1]![1], ranges[1]![2]])
  writeMeta(sql, 'imported_ranges', JSON.stringify(ranges))
}

/** Returns the first id that an import has given; infinity if it has given none. All imported messages from it on are the last import's. */
export function firstIdOfImport(sql: Sql, importId: number): number {
  return rangesOf(sql).find(([, , id]) => id === importId)?.[0] ?? Number.POSITIVE_INFINITY
}

/** Messages of a segment from a time on. */
export interface SegmentPart extends IdSegment {
  /** The lowest id of a message sent at that time or later. */
  readonly from: number
}

/** Returns the parts of all segments that were sent at `since` (UNIX seconds) or later; those that have none are left out. */
export function partsSince(sql: Sql, since: number): SegmentPart[] {
  const newest = newestMessageId(sql)
  return idSegments(sql).flatMap((segment) => {
    const last = Math.min(segment.last, newest)
    const from = firstIn(sql, { ...segment, last }, since)
    return from > last ? [] : { ...segment, last, from }
  })
}

/**
 * Returns the lowest id of a message that people have sent at `since` (UNIX seconds) or later; one more than the newest without one.
 * Imported messages count as sent when they came.
 */
export function firstMessageSince(sql: Sql, since: number): number {
  const newest = newestMessageId(sql)
  for (const segment of idSegments(sql)) {
    if (segment.isImported) continue
    const last = Math.min(segment.last, newest)
    const from = firstIn(sql, { ...segment, last }, since)
    if (from <= last) return from
  }
  return newest + 1
}

/** Times rise with the ids of a segment, so the first is found by halving, without an index on the time. */
function firstIn(sql: Sql, { first, last, isImported }: IdSegment, since: number): number {
  let [low, high] = [first, last + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const at = sql.first<{ id: number; sent_at: number }>(
      `SELECT id, sent_at FROM message_index WHERE id >= ? AND id < ? AND (bits & ${MESSAGE_BIT.isImported}) ${isImported ? '<>' : '='} 0
       ORDER BY id LIMIT 1`,
      middle,
      high,
    )
    if (at && at.sent_at < since) low = at.id + 1
    else high = middle
  }
  return low
}

/** Returns the number of messages that each recipient has had since a time (UNIX seconds). */
export function countMessagesSince(sql: Sql, since: number): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { from, last } of partsSince(sql, since)) {
    const rows = sql.all<{ recipient_id: number; count: number }>(
      `SELECT recipient_id, COUNT(*) AS count FROM message_index WHERE id BETWEEN ? AND ? GROUP BY recipient_id`,
      from,
      last,
    )
    for (const { recipient_id, count } of rows)
      counts.set(recipient_id, (counts.get(recipient_id) ?? 0) + count)
  }
  return counts
}

/** Number of recipients of one statement: SQLite takes texts of 2 MB. */
const AT_ONCE = 10_000

interface NewestMessage {
  readonly recipient: number
  /** Id of the newest message to the recipient. */
  readonly id: number
}

/** Returns those of these recipients (core/recipient-id.ts) that have the newest messages, at most `limit`, with those: newest first. */
export function newestMessagesToEach(
  sql: Sql,
  recipientIds: readonly number[],
  limit: number,
): NewestMessage[] {
  const newest: NewestMessage[] = []
  for (const some of inParts(recipientIds, AT_ONCE)) {
    const found = sql.all<NewestMessage>(
      `SELECT recipient, id FROM (
         SELECT value AS recipient, (SELECT MAX(id) FROM message_index WHERE recipient_id = value) AS id
         FROM json_each(?) ORDER BY id DESC LIMIT ?)
       WHERE id IS NOT NULL`,
      some,
      limit,
    )
    newest.push(...found)
  }
  return newest.sort((a, b) => b.id - a.id).slice(0, limit)
}

/**
 * Lists the oldest messages of a channel or conversation that were sent before `sentBefore` (UNIX seconds) and are not on hold.
 *
 * Times rise with ids in a segment, but for messages that people sent while an import ran: their ids are among its own, and they are
 * newer than all of them. So they are looked at once nothing of the import is left there.
 */
export function oldestMessagesBefore(
  sql: Sql,
  recipientId: number,
  sentBefore: number,
  limit: number,
): IndexedMessage[] {
  for (const segment of idSegments(sql)) {
    const imported = segment.isImported ? firstMessages(sql, recipientId, segment, limit, 'imported') : []
    const first = imported.length > 0 ? imported : firstMessages(sql, recipientId, segment, limit)
    const oldest = first.filter(({ sentAt }) => sentAt < sentBefore)
    if (oldest.length > 0) return oldest
  }
  return []
}

function firstMessages(
  sql: Sql,
  recipientId: number,
  { first, last }: IdSegment,
  limit: number,
  only?: 'imported',
): IndexedMessage[] {
  const imported = only === 'imported' ? `AND (bits & ${MESSAGE_BIT.isImported}) <> 0` : ''
  const free = notHeld(sql)
  const condition = free === null ? imported : `${imported} AND ${free}`
  return MESSAGES.list(
    sql,
    `WHERE recipient_id = ? AND id >= ? AND id <= ? ${condition} ORDER BY id LIMIT ?`,
    recipientId,
    first,
    Math.min(last, Number.MAX_SAFE_INTEGER),
    limit,
  )
}
