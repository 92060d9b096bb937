import type { Sql } from '../../core/sql.ts'
import { MESSAGE_BIT } from '../messages/flags/message-bits.ts'
import { type IndexedMessage, MESSAGE_COLUMNS, type MessageRow, messageOf } from '../messages/message-rows.ts'
import { type IdSegment, idSegments } from '../messages/message-time-rows.ts'

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
  const condition = only === 'imported' ? `AND (bits & ${MESSAGE_BIT.isImported}) <> 0` : ''
  return sql
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_index m
       WHERE recipient_id = ? AND id >= ? AND id <= ? ${condition} ORDER BY id LIMIT ?`,
      recipientId,
      first,
      Math.min(last, Number.MAX_SAFE_INTEGER),
      limit,
    )
    .map(messageOf)
}
