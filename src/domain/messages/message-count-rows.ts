import type { Sql } from '../../core/sql.ts'
import { newestMessageId } from './message-rows.ts'

/**
 * Returns the lowest id of a message sent at `since` (UNIX seconds) or later; one more than the newest
 * without one. Ids rise with time, so it is found by halving, without an index on the time.
 */
export function firstMessageSince(sql: Sql, since: number): number {
  let low = 1
  let high = newestMessageId(sql) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const at = sql.first<{ id: number; sent_at: number }>(
      `SELECT id, sent_at FROM message_index WHERE id >= ? ORDER BY id LIMIT 1`,
      middle,
    )
    if (at && at.sent_at < since) low = at.id + 1
    else high = middle
  }
  return low
}

/** Returns the number of messages that each recipient has from this id on. */
export function countMessagesFrom(sql: Sql, id: number): Map<number, number> {
  const rows = sql.all<{ recipient_id: number; count: number }>(
    `SELECT recipient_id, COUNT(*) AS count FROM message_index WHERE id >= ? GROUP BY recipient_id`,
    id,
  )
  return new Map(rows.map(({ recipient_id, count }) => [recipient_id, count]))
}
