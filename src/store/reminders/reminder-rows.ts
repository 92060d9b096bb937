import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

const REMINDERS = new Rows<Reminder>('id user_id message_id content rendered_content note origin due_at')

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

/** Inserts a reminder and returns its id. */
export function insertReminder(sql: WritableSql, reminder: Omit<Reminder, 'id'>): number {
  return REMINDERS.insertNew(sql, 'reminder', reminder)
}

export function findReminder(sql: Sql, id: number): Reminder | undefined {
  return REMINDERS.first(sql, `SELECT ${REMINDERS.columns} FROM reminder WHERE id = ?`, id)
}

/** Lists a user's reminders, the next one first. */
export function listRemindersOf(sql: Sql, userId: number): Reminder[] {
  return REMINDERS.all(
    sql,
    `SELECT ${REMINDERS.columns} FROM reminder WHERE user_id = ? ORDER BY due_at, id`,
    userId,
  )
}

/** Lists the first reminders of all users about these messages, by message. */
export function listRemindersAbout(sql: Sql, messageIds: readonly number[], limit: number): Reminder[] {
  return REMINDERS.all(
    sql,
    `SELECT ${REMINDERS.columns} FROM (SELECT value AS wanted FROM json_each(?)) CROSS JOIN reminder ON message_id = wanted LIMIT ?`,
    JSON.stringify(messageIds),
    limit,
  )
}

export function deleteReminder(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM reminder WHERE id = ?`, id)
}
