import type { Sql, WritableSql } from '../../core/sql.ts'
import type { QuotaUse } from '../quotas/quota-rows.ts'
import { Rows } from '../select-rows.ts'

/** An entry to a widget: its definition, a vote, a finished task. The table `submessage` is owned by this file. */
export interface Submessage {
  readonly id: number
  readonly messageId: number
  readonly senderId: number
  /** Always `widget`. */
  readonly type: string
  /** JSON, for the widget to read. */
  readonly content: string
}

const SUBMESSAGES = new Rows<Submessage>('submessage', 'id message_id sender_id msg_type=type content')

export function insertSubmessage(sql: WritableSql, submessage: Omit<Submessage, 'id'>): number {
  return SUBMESSAGES.insertNew(sql, submessage)
}

/** Returns the submessages of several messages, in their order. */
export function listSubmessages(sql: Sql, messageIds: readonly number[]): Map<number, Submessage[]> {
  if (messageIds.length === 0) return new Map()
  const all = SUBMESSAGES.list(
    sql,
    `WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    messageIds,
  )
  return Map.groupBy(all, ({ messageId }) => messageId)
}

/** Returns the submessage that defines the widget. */
export function firstSubmessage(sql: Sql, messageId: number): Submessage | undefined {
  return SUBMESSAGES.find(sql, `WHERE message_id = ? ORDER BY id LIMIT 1`, messageId)
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

/** Returns the bytes of a message's submessages: their contents, and a hundred for the other fields of each. */
export function submessageBytes(sql: Sql, messageId: number): number {
  return sql.value(
    `SELECT ifnull(sum(octet_length(content) + 100), 0) AS bytes FROM submessage WHERE message_id = ?`,
    messageId,
  )!
}

export function deleteSubmessagesOf(sql: WritableSql, messageIds: readonly number[]): void {
  sql.run(`DELETE FROM submessage WHERE message_id IN (SELECT value FROM json_each(?))`, messageIds)
}
