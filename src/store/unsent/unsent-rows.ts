import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

/** What users have written for later: drafts, scheduled messages and reminders. */

/** An unfinished message in the API's form. Source: docs/interface/personal.md#drafts. */
export interface Draft {
  readonly id: number
  /** '' while the draft has no destination. */
  readonly type: '' | 'stream' | 'private'
  /** One channel, or people. */
  readonly to: number[]
  readonly topic: string
  readonly content: string
  /** Time of the last edit: UNIX seconds with microseconds. */
  readonly timestamp: number
}

const DRAFTS = new Rows<Draft>('draft', 'id type recipients=to:json topic content edited_at=timestamp')

/** Lists the newest `limit` drafts, by time of the last edit, ascending. */
export function listDrafts(sql: Sql, userId: number, limit = -1): Draft[] {
  return DRAFTS.list(
    sql,
    `WHERE user_id = ? ORDER BY edited_at DESC, id DESC LIMIT ?`,
    userId,
    limit,
  ).reverse()
}

export function findDraft(sql: Sql, userId: number, id: number): Draft | undefined {
  return DRAFTS.find(sql, `WHERE id = ? AND user_id = ?`, id, userId)
}

export function insertDraft(sql: WritableSql, userId: number, draft: Omit<Draft, 'id'>): Draft {
  const id = DRAFTS.insertNew(sql, draft, { user_id: userId })
  return { ...draft, id }
}

export function replaceDraft(sql: WritableSql, draft: Draft): void {
  DRAFTS.change(sql, draft.id, draft)
}

export function deleteDraftRow(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM draft WHERE id = ?`, id)
}

const SCHEDULED = new Rows<ScheduledMessage>(
  'scheduled_message',
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
  return SCHEDULED.find(sql, `WHERE id = ?`, id)
}

/** Lists a user's unsent messages, the next first. */
export function listScheduledMessagesOf(sql: Sql, userId: number): ScheduledMessage[] {
  return SCHEDULED.list(sql, `WHERE user_id = ? AND state <> 'sent' ORDER BY due_at, id`, userId)
}

export function insertScheduledMessage(
  sql: WritableSql,
  message: Omit<ScheduledMessage, 'id' | 'state'>,
): number {
  return SCHEDULED.insertNew(sql, message)
}

export function rewriteScheduledMessage(sql: WritableSql, message: ScheduledMessage): void {
  const { userId: _, readBySender: __, ...written } = message
  SCHEDULED.change(sql, message.id, written)
}

export function markScheduledMessageFailed(sql: WritableSql, id: number): void {
  sql.run(`UPDATE scheduled_message SET state = 'failed' WHERE id = ?`, id)
}

/** Marks a message as sent. The row stays without its text, so that a change that comes too late can be refused with the reason. */
export function markScheduledMessageSent(sql: WritableSql, id: number): void {
  sql.run(`UPDATE scheduled_message SET state = 'sent', content = '', rendered_content = '' WHERE id = ?`, id)
}

export function deleteScheduledMessageRow(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM scheduled_message WHERE id = ?`, id)
}

const REMINDERS = new Rows<Reminder>(
  'reminder',
  'id user_id message_id content rendered_content note origin due_at',
)

/** A reminder that a user has asked for about a message. The table `reminder` is owned by this file. */
export interface Reminder {
  readonly id: number
  readonly userId: number
  readonly messageId: number
  /** Text that is shown before it is delivered: nothing of the message's. */
  readonly content: string
  readonly renderedContent: string
  /** The user's own note; '' for none. */
  readonly note: string
  /** `https://chat.example.com`, for links. */
  readonly origin: string
  /** UNIX seconds. */
  readonly dueAt: number
}

export function insertReminder(sql: WritableSql, reminder: Omit<Reminder, 'id'>): number {
  return REMINDERS.insertNew(sql, reminder)
}

export function findReminder(sql: Sql, id: number): Reminder | undefined {
  return REMINDERS.find(sql, `WHERE id = ?`, id)
}

/** Lists a user's reminders, the next one first. */
export function listRemindersOf(sql: Sql, userId: number): Reminder[] {
  return REMINDERS.list(sql, `WHERE user_id = ? ORDER BY due_at, id`, userId)
}

/** Lists the first reminders of all users about these messages, by message. */
export function listRemindersAbout(sql: Sql, messageIds: readonly number[], limit: number): Reminder[] {
  return REMINDERS.all(
    sql,
    `SELECT ${REMINDERS.columns} FROM (SELECT value AS wanted FROM json_each(?)) CROSS JOIN reminder ON message_id = wanted LIMIT ?`,
    messageIds,
    limit,
  )
}

export function deleteReminder(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM reminder WHERE id = ?`, id)
}
