import { toUsers } from '../../core/audience.ts'
import { CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import type { Continuation, RealmTransaction } from '../../core/realm-transaction.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import { findMessage } from '../../store/messages/message-rows.ts'
import { isRealmDeactivated } from '../../store/realm/realm-setting-rows.ts'
import {
  deleteReminder,
  findReminder,
  listRemindersAbout,
  type Reminder,
} from '../../store/unsent/unsent-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import { messageAccess } from '../messages/read/message-access.ts'
import { sendNotice } from '../sending/send-notice.ts'
import { reminderText, textWithoutMessage } from './reminder-text.ts'

/** Deletes a reminder, with the job that would deliver it, and notifies its owner. */
export function removeReminder(tx: RealmTransaction, { id, userId }: Reminder): void {
  deleteReminder(tx.sql, id)
  tx.unschedule({ kind: 'deliver-reminder', key: String(id) })
  tx.emit({ type: 'reminders', op: 'remove', reminder_id: id }, toUsers(userId))
}

/** Deletes reminders of deleted messages, as many as one commit takes. The rest follows, and is not delivered meanwhile. */
export function removeRemindersAbout(tx: RealmTransaction, messageIds: readonly number[]): void {
  const left = removeNext(tx, messageIds)
  if (left) tx.continueLater(removingReminders, String(left[0]), left)
}

export const removingReminders: Continuation<readonly number[]> = {
  name: 'remove-reminders',
  next: removeNext,
}

/** Deletes reminders, message by message. Returns the messages that may have more. */
function removeNext(tx: RealmTransaction, messageIds: readonly number[]): readonly number[] | undefined {
  const next = listRemindersAbout(tx.sql, messageIds, CHANGES_OF_COMMIT + 1)
  for (const reminder of next.slice(0, CHANGES_OF_COMMIT)) removeReminder(tx, reminder)
  const left = next[CHANGES_OF_COMMIT]
  return left && messageIds.slice(messageIds.indexOf(left.messageId))
}

/**
 * Delivers a reminder, which quotes the message's present text if the user may read it now. A repeated job finds nothing to
 * do. Returns when the reminder is due (UNIX seconds) if the clock was set back; undefined when it is done.
 */
export function deliverReminder(tx: RealmTransaction, id: string): number | undefined {
  const reminder = findReminder(tx.sql, Number(id))
  if (!reminder) return undefined
  if (reminder.dueAt > tx.now) return reminder.dueAt
  const user = findUser(tx.sql, reminder.userId)
  const message = findMessage(tx.sql, reminder.messageId)
  // A deleted message may have reminders left, which later commits delete.
  if (!user?.isActive || !message || isRealmDeactivated(tx.sql)) {
    removeReminder(tx, reminder)
    return undefined
  }
  const reader = { user, actor: actorOf(tx.sql, user, tx.now) }
  const isReadable = mayReadMessage(reader.actor, messageAccess(tx, reader, message))
  sendNotice(tx, {
    to: { user },
    content: isReadable
      ? reminderText(tx, message, reminder, tx.bodyOf(message).content)
      : textWithoutMessage(reminder.note),
    reader,
    origin: reminder.origin,
    mentionsNobody: true,
  })
  removeReminder(tx, reminder)
  return undefined
}
