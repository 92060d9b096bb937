import type { Sql } from '../../core/sql.ts'
import { MESSAGE_BIT } from './flags/message-bits.ts'
import { type IdSegment, idSegments } from './id-segment-rows.ts'
import { newestMessageId } from './message-rows.ts'

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
 * Returns the lowest id of a message that people have sent at `since` (UNIX seconds) or later; one more than the newest without one. What an import has
 * brought counts as sent when it came.
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
