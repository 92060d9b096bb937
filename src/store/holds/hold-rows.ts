import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

/** A person or channel whose messages and files are not deleted. The table `hold` is owned by this file. */
export interface Hold {
  readonly id: number
  readonly userId: number | null
  /** Null where userId is given, and the other way round. */
  readonly channelId: number | null
  readonly reason: string
  readonly placedBy: number
  /** UNIX seconds. */
  readonly placedAt: number
}

const HOLDS = new Rows<Hold>('hold', 'id user_id channel_id reason placed_by placed_at')

/** A person or a channel. */
export type Held = Pick<Hold, 'userId' | 'channelId'>

export function listHolds(sql: Sql): readonly Hold[] {
  return sql.kept('holds', () => HOLDS.list(sql, `ORDER BY id`))
}

export function findHold(sql: Sql, id: number): Hold | undefined {
  return listHolds(sql).find((hold) => hold.id === id)
}

export function findHoldOn(sql: Sql, { userId, channelId }: Held): Hold | undefined {
  return listHolds(sql).find((hold) => hold.userId === userId && hold.channelId === channelId)
}

export function insertHold(sql: WritableSql, hold: Omit<Hold, 'id'>): number {
  return HOLDS.insertNew(sql, hold)
}

export function deleteHold(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM hold WHERE id = ?`, id)
}

/**
 * SQL condition on a message: its sender, its channel or somebody of its direct conversation is on hold. The numbers of recipients are those
 * of core/recipient-id.ts.
 */
function isHeld(message: string): string {
  return `(${message}.sender_id IN (SELECT user_id FROM hold WHERE user_id IS NOT NULL)
    OR ${message}.recipient_id IN (
      SELECT channel_id * 3 + 1 FROM hold WHERE channel_id IS NOT NULL
      UNION ALL SELECT c.conversation_id * 3 + 2 FROM hold h CROSS JOIN conversation_member c ON c.user_id = h.user_id))`
}

/** SQL condition on a message `m` that is not on hold; null where nothing is. */
export function notHeld(sql: Sql): string | null {
  return listHolds(sql).length === 0 ? null : `NOT ${isHeld('m')}`
}

/** Returns those of these messages that are on hold. */
export function heldAmong(sql: Sql, messageIds: readonly number[]): ReadonlySet<number> {
  if (listHolds(sql).length === 0) return new Set()
  return new Set(
    sql.values(
      `SELECT m.id FROM json_each(?) one CROSS JOIN message_index m ON m.id = one.value WHERE ${isHeld('m')}`,
      messageIds,
    ),
  )
}

/** Whether a file is on hold: its owner is, or a message that links to it. */
export function isFileHeld(sql: Sql, file: { readonly id: number; readonly ownerId: number }): boolean {
  if (listHolds(sql).length === 0) return false
  if (findHoldOn(sql, { userId: file.ownerId, channelId: null })) return true
  return sql.finds(
    `SELECT 1 FROM attachment_message l CROSS JOIN message_index m ON m.id = l.message_id
     WHERE l.attachment_id = ? AND ${isHeld('m')} LIMIT 1`,
    file.id,
  )
}
