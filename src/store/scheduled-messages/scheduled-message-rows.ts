import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

const SCHEDULED = new Rows<ScheduledMessage>(
  'id user_id state destination:json content rendered_content due_at client origin read_by_sender:flag',
)

/** Destination of a scheduled message, before anybody is looked up. */
export type ScheduledDestination =
  | { readonly kind: 'channel'; readonly channelId: number; readonly topic: string }
  /** People as the author has named them, possibly including the author. */
  | { readonly kind: 'direct'; readonly userIds: readonly number[] }

/** A message to send later. The table `scheduled_message` is owned by this file. */
export interface ScheduledMessage {
  readonly id: number
  readonly userId: number
  /** `failed`: not sent, and will not be unless its author changes it. `sent`: only the id counts. */
  readonly state: 'pending' | 'failed' | 'sent'
  readonly destination: ScheduledDestination
  readonly content: string
  /** HTML rendered when it was written; it is rendered again when it is sent. */
  readonly renderedContent: string
  /** UNIX seconds. */
  readonly dueAt: number
  /** Name of the client that wrote it last. */
  readonly client: string
  /** `https://chat.example.com`, for links. */
  readonly origin: string
  readonly readBySender: boolean
}

export function findScheduledMessage(sql: Sql, id: number): ScheduledMessage | undefined {
  return SCHEDULED.first(sql, `SELECT ${SCHEDULED.columns} FROM scheduled_message WHERE id = ?`, id)
}

/** Lists a user's unsent messages, the next first. */
export function listScheduledMessagesOf(sql: Sql, userId: number): ScheduledMessage[] {
  return SCHEDULED.all(
    sql,
    `SELECT ${SCHEDULED.columns} FROM scheduled_message WHERE user_id = ? AND state <> 'sent' ORDER BY due_at, id`,
    userId,
  )
}

/** Inserts a scheduled message and returns its id. */
export function insertScheduledMessage(
  sql: WritableSql,
  message: Omit<ScheduledMessage, 'id' | 'state'>,
): number {
  return SCHEDULED.insertNew(sql, 'scheduled_message', message)
}

export function rewriteScheduledMessage(sql: WritableSql, message: ScheduledMessage): void {
  const { userId: _, readBySender: __, ...written } = message
  SCHEDULED.change(sql, 'scheduled_message', message.id, written)
}

export function markScheduledMessageFailed(sql: WritableSql, id: number): void {
  sql.run(`UPDATE scheduled_message SET state = 'failed' WHERE id = ?`, id)
}

/**
 * Marks a message as sent. The row stays without its text, so that a change that comes too late can be
 * refused with the reason.
 */
export function markScheduledMessageSent(sql: WritableSql, id: number): void {
  sql.run(`UPDATE scheduled_message SET state = 'sent', content = '', rendered_content = '' WHERE id = ?`, id)
}

export function deleteScheduledMessageRow(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM scheduled_message WHERE id = ?`, id)
}
