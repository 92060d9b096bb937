import { toUsers } from '../../core/audience.ts'
import { CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRemindersEvent } from '../../events/reminders.ts'
import { deleteReminder, listRemindersAbout, type Reminder } from '../../store/reminders/reminder-rows.ts'

/** The job that delivers one reminder; its key is the reminder's id. */
export const DELIVER_REMINDER = 'deliver-reminder'

/** The job that goes on deleting the reminders of a deleted message, whose id is its key. */
export const REMOVE_REMINDERS = 'remove-reminders'

/** Deletes a reminder, with the job that would deliver it, and notifies its owner. */
export function removeReminder(tx: RealmTransaction, { id, userId }: Reminder): void {
  deleteReminder(tx.sql, id)
  tx.unschedule({ kind: DELIVER_REMINDER, key: String(id) })
  const event: StoredRemindersEvent = { type: 'reminders', op: 'remove', reminder_id: id }
  tx.emit(event, toUsers(userId))
}

/**
 * Deletes the reminders of messages that are deleted, as many as one commit takes. The job deletes the others, and none of them is
 * delivered meanwhile (deliver-reminder.ts).
 */
export function removeRemindersAbout(tx: RealmTransaction, messageIds: readonly number[]): void {
  for (const id of removeNext(tx, messageIds)) {
    tx.schedule({ kind: REMOVE_REMINDERS, key: String(id), dueAt: tx.now })
  }
}

/** Goes on deleting the reminders of a deleted message. Returns when there are more (UNIX seconds). */
export function removeRemindersByJob(tx: RealmTransaction, messageId: string): number | undefined {
  return removeNext(tx, [Number(messageId)]).length > 0 ? tx.now : undefined
}

/** Deletes the reminders of the first messages. Returns those that may have more. */
function removeNext(tx: RealmTransaction, messageIds: readonly number[]): readonly number[] {
  const next = listRemindersAbout(tx.sql, messageIds, CHANGES_OF_COMMIT + 1)
  for (const reminder of next.slice(0, CHANGES_OF_COMMIT)) removeReminder(tx, reminder)
  const left = next[CHANGES_OF_COMMIT]
  return left ? messageIds.slice(messageIds.indexOf(left.messageId)) : []
}
