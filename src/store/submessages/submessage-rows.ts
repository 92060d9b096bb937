import type { Sql, WritableSql } from '../../core/sql.ts'
import type { QuotaUse } from '../quotas/quota-rows.ts'

/**
 * An entry to a widget: its definition, a vote, a finished task. The table `submessage` is owned by this
 * file.
 */
export interface Submessage {
  readonly id: number
  readonly messageId: number
  readonly senderId: number
  /** Always `widget`. */
  readonly type: string
  /** JSON, for the widget to read. */
  readonly content: string
}

interface SubmessageRow {
  id: number
  message_id: number
  sender_id: number
  msg_type: string
  content: string
}

/** Inserts a submessage and returns its id. */
export function insertSubmessage(sql: WritableSql, submessage: Omit<Submessage, 'id'>): number {
  return sql.runForFirst<{ id: number }>(
    `INSERT INTO submessage (message_id, sender_id, msg_type, content) VALUES (?, ?, ?, ?) RETURNING id`,
    submessage.messageId,
    submessage.senderId,
    submessage.type,
    submessage.content,
  )!.id
}

/** Returns the submessages of several messages, in their order. */
export function listSubmessages(sql: Sql, messageIds: readonly number[]): Map<number, Submessage[]> {
  if (messageIds.length === 0) return new Map()
  const rows = sql.all<SubmessageRow>(
    `SELECT * FROM submessage WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    JSON.stringify(messageIds),
  )
  return Map.groupBy(rows.map(submessageOf), ({ messageId }) => messageId)
}

/** Returns the submessage that defines the widget. */
export function firstSubmessage(sql: Sql, messageId: number): Submessage | undefined {
  const row = sql.first<SubmessageRow>(
    `SELECT * FROM submessage WHERE message_id = ? ORDER BY id LIMIT 1`,
    messageId,
  )
  return row && submessageOf(row)
}

/** Returns a message's number of submessages and their bytes: of all, and of one account's. */
export function submessageUse(
  sql: Sql,
  messageId: number,
  senderId: number,
): { readonly all: QuotaUse; readonly own: QuotaUse } {
  const row = sql.first<{ count: number; bytes: number; own_count: number; own_bytes: number }>(
    `SELECT count(*) AS count, ifnull(sum(octet_length(content)), 0) AS bytes,
       count(*) FILTER (WHERE sender_id = ?2) AS own_count,
       ifnull(sum(octet_length(content)) FILTER (WHERE sender_id = ?2), 0) AS own_bytes
     FROM submessage WHERE message_id = ?1`,
    messageId,
    senderId,
  )!
  return {
    all: { count: row.count, bytes: row.bytes },
    own: { count: row.own_count, bytes: row.own_bytes },
  }
}

/**
 * Returns the bytes of a message's submessages: their contents, and a hundred for the other fields of each.
 */
export function submessageBytes(sql: Sql, messageId: number): number {
  return sql.first<{ bytes: number }>(
    `SELECT ifnull(sum(octet_length(content) + 100), 0) AS bytes FROM submessage WHERE message_id = ?`,
    messageId,
  )!.bytes
}

export function deleteSubmessagesOf(sql: WritableSql, messageIds: readonly number[]): void {
  sql.run(
    `DELETE FROM submessage WHERE message_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(messageIds),
  )
}

function submessageOf(row: SubmessageRow): Submessage {
  return {
    id: row.id,
    messageId: row.message_id,
    senderId: row.sender_id,
    type: row.msg_type,
    content: row.content,
  }
}
