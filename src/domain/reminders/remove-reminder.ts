import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRemindersEvent } from '../../events/reminders.ts'
import { deleteReminder, listRemindersAbout, type Reminder } from './reminder-rows.ts'

/** The job that delivers one reminder; its key is the reminder's id. */
export const DELIVER_REMINDER = 'deliver-reminder'

/** Deletes a reminder, with the job that would deliver it, and notifies its owner. */
export function removeReminder(tx: RealmTransaction, { id, userId }: Reminder): void {
  deleteReminder(tx.sql, id)
  tx.unschedule({ kind: DELIVER_REMINDER, key: String(id) })
  const event: StoredRemindersEvent = { type: 'reminders', op: 'remove', reminder_id: id }
  tx.emit(event, toUsers(userId))
}

/** Deletes the reminders of messages that are deleted. */
export function removeRemindersAbout(tx: RealmTransaction, messageIds: readonly number[]): void {
  for (const reminder of listRemindersAbout(tx.sql, messageIds)) removeReminder(tx, reminder)
}
