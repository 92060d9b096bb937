import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

/** A message or topic at the head of its channel. The table `pin` is owned by this file. */
export interface Pin {
  readonly id: number
  /** Where the message or topic is now. */
  readonly channelId: number
  readonly messageId: number | null
  /** Null where messageId is given, and the other way round. */
  readonly topicId: number | null
  readonly pinnedBy: number
  /** UNIX seconds. */
  readonly pinnedAt: number
}

/** Pins of one channel, hidden ones included: what a head of a channel can show. */
export const MAX_PINS = 50

const PINS = new Rows<Pin>('pin', 'id channel_id message_id topic_id pinned_by pinned_at')

/** Lists the pins of a channel, the newest first. */
export function listPins(sql: Sql, channelId: number): Pin[] {
  return PINS.list(sql, `WHERE channel_id = ? ORDER BY id DESC LIMIT ${MAX_PINS}`, channelId)
}

export function countPins(sql: Sql, channelId: number): number {
  return sql.value(`SELECT COUNT(*) AS count FROM pin WHERE channel_id = ?`, channelId) ?? 0
}

export function pinOfMessage(sql: Sql, messageId: number): Pin | undefined {
  return PINS.find(sql, `WHERE message_id = ?`, messageId)
}

export function pinOfTopic(sql: Sql, topicId: number): Pin | undefined {
  return PINS.find(sql, `WHERE topic_id = ?`, topicId)
}

export function pinsOfMessages(sql: Sql, messageIds: readonly number[]): Pin[] {
  return PINS.list(sql, `WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id`, messageIds)
}

export function insertPin(sql: WritableSql, pin: Omit<Pin, 'id'>): number {
  return PINS.insertNew(sql, { ...pin, pinnedAt: Math.floor(pin.pinnedAt) })
}

export function putPinIn(
  sql: WritableSql,
  id: number,
  place: Partial<Pick<Pin, 'channelId' | 'topicId'>>,
): void {
  PINS.change(sql, id, place)
}

export function deletePin(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM pin WHERE id = ?`, id)
}
