import type { Sql, WritableSql } from '../../../core/sql.ts'
import { type IndexedMessage, MESSAGES } from '../message-rows.ts'
import { bitOf, blockOf, byteOf, MessageIdSet } from './message-id-set.ts'

/** Returns the messages of one recipient above `since` and up to `until`, ascending: the first `limit` of them, or all for −1. */
export function messagesBetween(
  sql: Sql,
  recipient: number,
  since: number,
  until: number,
  limit: number,
): IndexedMessage[] {
  return MESSAGES.list(
    sql,
    `WHERE recipient_id = ? AND id > ? AND id <= ?
       ORDER BY id LIMIT ?`,
    recipient,
    since,
    until,
    limit,
  )
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
  return sql.all<IndexedMessage>(
    `SELECT ${MESSAGES.columns} FROM message_flag f JOIN message_index m ON m.id = f.message_id
       WHERE f.user_id = ? AND f.message_id > ? AND f.message_id <= ?
       ORDER BY f.message_id LIMIT ?`,
    userId,
    since,
    until,
    limit,
  )
}

/** Enters the people for whom a notice arrives unread, possibly ten thousand: a row for 4,096 accounts. */
export function insertUnreadNotice(sql: WritableSql, messageId: number, userIds: readonly number[]): void {
  for (const [block, bits] of MessageIdSet.of(userIds).blocks) {
    sql.run(
      `INSERT INTO unread_notice (message_id, block, user_ids) VALUES (?, ?, ?)`,
      messageId,
      block,
      bits,
    )
  }
}

/** Whether the notice arrived unread for the user. */
export function isUnreadNotice(sql: Sql, messageId: number, userId: number): boolean {
  const row = sql.first<{ byte: string }>(
    `SELECT hex(substr(user_ids, ?3, 1)) AS byte FROM unread_notice WHERE message_id = ?1 AND block = ?2`,
    messageId,
    blockOf(userId),
    byteOf(userId) + 1,
  )
  return row !== undefined && (Number.parseInt(row.byte, 16) & bitOf(userId)) !== 0
}

/** Returns a function that says for whom the notice arrived unread. */
export function unreadNoticeReader(sql: Sql, messageId: number): (userId: number) => boolean {
  const rows = sql.all<{ block: number; user_ids: ArrayBuffer }>(
    `SELECT block, user_ids FROM unread_notice WHERE message_id = ?`,
    messageId,
  )
  const blocks = new Map(rows.map(({ block, user_ids }) => [block, new Uint8Array(user_ids)]))
  return (userId) => ((blocks.get(blockOf(userId))?.[byteOf(userId)] ?? 0) & bitOf(userId)) !== 0
}

export function deleteUnreadNotices(sql: WritableSql, messageIds: readonly number[]): void {
  if (messageIds.length === 0) return
  sql.run(`DELETE FROM unread_notice WHERE message_id IN (SELECT value FROM json_each(?))`, messageIds)
}
