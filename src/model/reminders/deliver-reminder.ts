import type { MessageBody } from '../../core/message-bodies.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import { findMessage, type IndexedMessage } from '../../store/messages/message-rows.ts'
import { isRealmDeactivated } from '../../store/realm/realm-setting-rows.ts'
import { findReminder } from '../../store/reminders/reminder-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import { messageAccess } from '../messages/read/message-access.ts'
import { sendNotice } from '../messages/send/send-notice.ts'
import { reminderText, textWithoutMessage } from './reminder-text.ts'
import { removeReminder } from './remove-reminder.ts'

/** Returns the present message of a reminder. */
export function messageOfReminder(sql: Sql, id: number): IndexedMessage | undefined {
  const reminder = findReminder(sql, id)
  return reminder && findMessage(sql, reminder.messageId)
}

/**
 * Delivers a reminder, once: a repeated job finds nothing to do. It quotes the message's present text, only
 * if the user may read it now. `body` was read before. Returns when to try again (UNIX seconds): at once if the message has changed since
 * then, and when the reminder is due, if the clock has been set back; undefined when it is done.
 */
export function deliverReminder(
  tx: RealmTransaction,
  id: number,
  body: MessageBody | undefined,
): number | undefined {
  const reminder = findReminder(tx.sql, id)
  if (!reminder) return undefined
  if (reminder.dueAt > tx.now) return reminder.dueAt
  const user = findUser(tx.sql, reminder.userId)
  const message = findMessage(tx.sql, reminder.messageId)
  // A message with many reminders is deleted before all of them are.
  if (!user?.isActive || !message || isRealmDeactivated(tx.sql)) {
    removeReminder(tx, reminder)
    return undefined
  }
  const reader = { user, actor: actorOf(tx.sql, user, tx.now) }
  const isReadable = mayReadMessage(reader.actor, messageAccess(tx, reader, message))
  if (isReadable && body?.version !== message.version) return tx.now
  removeReminder(tx, reminder)
  sendNotice(tx, {
    to: { user },
    content: isReadable
      ? reminderText(tx, message, reminder, body!.content)
      : textWithoutMessage(reminder.note),
    reader,
    origin: reminder.origin,
    mentionsNobody: true,
  })
  return undefined
}
