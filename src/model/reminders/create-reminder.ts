import { toUsers } from '../../core/audience.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { isLongerThan } from '../../core/text-length.ts'
import type { StoredRemindersEvent } from '../../events/unsent.ts'
import { insertReminder } from '../../store/unsent/unsent-rows.ts'
import type { Caller } from '../caller.ts'
import { requireReadableMessage } from '../messages/read/message-access.ts'
import { renderText } from '../messages/text/render-text.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { requireFuture } from '../scheduled-messages/emit-scheduled.ts'
import { presentReminder } from '../unsent/present-unsent.ts'
import { MAX_NOTE_LENGTH, reminderText } from './reminder-text.ts'

interface CreateReminderParams {
  readonly message_id: number
  /** UNIX seconds. */
  readonly scheduled_delivery_timestamp: number
  readonly note: string
}

/** Schedules a reminder of a message. Its text is quoted as it is when the reminder is due; nothing of it is stored before. */
export function createReminder(
  tx: RealmTransaction,
  caller: Caller,
  { message_id, scheduled_delivery_timestamp, note }: CreateReminderParams,
): { reminder_id: number } {
  requireShortNote(note)
  requireFuture(scheduled_delivery_timestamp, tx.now)
  const message = requireReadableMessage(tx, caller, message_id)
  const { origin } = caller.source
  const content = reminderText(tx, message, { note, origin })
  const reminder = {
    userId: caller.user.id,
    messageId: message.id,
    content,
    renderedContent: renderText(tx, caller, content, origin, {}).html,
    note,
    origin,
    dueAt: scheduled_delivery_timestamp,
  }
  const id = withinQuota(tx, caller, 'reminders', () => insertReminder(tx.sql, reminder))
  tx.schedule({ kind: 'deliver-reminder', key: String(id), dueAt: reminder.dueAt })
  const event: StoredRemindersEvent = {
    type: 'reminders',
    op: 'add',
    reminders: [presentReminder({ id, ...reminder })],
  }
  tx.emit(event, toUsers(caller.user.id))
  return { reminder_id: id }
}

function requireShortNote(note: string): void {
  if (isLongerThan(note, MAX_NOTE_LENGTH)) {
    throw new BadRequestError(`Maximum reminder note length: ${MAX_NOTE_LENGTH} characters`)
  }
}
