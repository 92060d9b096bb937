import type { Sql } from '../../core/sql.ts'
import { idSegments } from '../messages/id-segment-rows.ts'
import { type IndexedMessage, MESSAGE_COLUMNS, type MessageRow, messageOf } from '../messages/message-rows.ts'

/** Returns the next channel or conversation that has messages; undefined after the last. */
export function nextRecipientId(sql: Sql, after: number): number | undefined {
  return (
    sql.first<{ id: number | null }>(
      `SELECT MIN(recipient_id) AS id FROM message_index WHERE recipient_id > ?`,
      after,
    )?.id ?? undefined
  )
}

/**
 * Lists the oldest messages of a channel or conversation that were sent before `sentBefore` (UNIX seconds).
 */
export function oldestMessagesBefore(
  sql: Sql,
  recipientId: number,
  sentBefore: number,
  limit: number,
): IndexedMessage[] {
  for (const { first, last } of idSegments(sql)) {
    const oldest = sql
      .all<MessageRow>(
        `SELECT ${MESSAGE_COLUMNS} FROM message_index m WHERE recipient_id = ? AND id >= ? AND id <= ? ORDER BY id LIMIT ?`,
        recipientId,
        first,
        Math.min(last, Number.MAX_SAFE_INTEGER),
        limit,
      )
      .map(messageOf)
      .filter(({ sentAt }) => sentAt < sentBefore)
    if (oldest.length > 0) return oldest
  }
  return []
}
