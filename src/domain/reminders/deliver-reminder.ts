import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRemindersEvent } from '../../events/reminders.ts'
import { actorOf } from '../caller.ts'
import { sendNotice } from '../messages/send-notice.ts'
import { isRealmDeactivated } from '../realm/realm-setting-rows.ts'
import { findUser } from '../users/user-rows.ts'
import { deleteReminder, findReminder, type Reminder } from './reminder-rows.ts'

/** The job that delivers one reminder; its key is the reminder's id. */
export const DELIVER_REMINDER = 'deliver-reminder'

/** Says what was asked for, once: the job may come twice, and finds nothing then. */
export function deliverReminder(tx: RealmTransaction, id: number): void {
  const reminder = findReminder(tx.sql, id)
  if (!reminder || reminder.dueAt > tx.now) return
  const user = findUser(tx.sql, reminder.userId)
  removeReminder(tx, reminder)
  if (!user?.isActive || isRealmDeactivated(tx.sql)) return
  sendNotice(tx, {
    to: { user },
    content: reminder.content,
    reader: { user, actor: actorOf(tx.sql, user, tx.now) },
    origin: reminder.origin,
    callsNobody: true,
  })
}

/** Takes it off and tells its owner. */
export function removeReminder(tx: RealmTransaction, { id, userId }: Reminder): void {
  deleteReminder(tx.sql, id)
  const event: StoredRemindersEvent = { type: 'reminders', op: 'remove', reminder_id: id }
  tx.emit(event, toUsers(userId))
}
