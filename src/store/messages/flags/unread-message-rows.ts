import type { Sql } from '../../../core/sql.ts'
import { type IndexedMessage, MESSAGE_COLUMNS, messageOf } from '../message-rows.ts'

type MessageRow = Parameters<typeof messageOf>[0]

/**
 * Returns the messages of one recipient above `since` and up to `until`, ascending: the first `limit` of them, or all
 * for −1.
 */
export function messagesBetween(
  sql: Sql,
  recipient: number,
  since: number,
  until: number,
  limit: number,
): IndexedMessage[] {
  return sql
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_index m WHERE recipient_id = ? AND id > ? AND id <= ?
       ORDER BY id LIMIT ?`,
      recipient,
      since,
      until,
      limit,
    )
    .map(messageOf)
}

/**
 * Returns messages above `since`, up to `until`, for which the user has a row of flags: some have no other
 * record. The first `limit` of them, ascending.
 */
export function sparseRecords(
  sql: Sql,
  userId: number,
  since: number,
  until: number,
  limit: number,
): IndexedMessage[] {
  return sql
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_flag f JOIN message_index m ON m.id = f.message_id
       WHERE f.user_id = ? AND f.message_id > ? AND f.message_id <= ?
       ORDER BY f.message_id LIMIT ?`,
      userId,
      since,
      until,
      limit,
    )
    .map(messageOf)
}
