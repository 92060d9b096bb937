import type { PresentedReminder } from '../../events/reminders.ts'
import type { Reminder } from '../../store/reminders/reminder-rows.ts'

/**
 * Presents a reminder in the form of a scheduled message, since it will be a direct message. Source:
 * docs/interface/personal.md#reminders.
 */
export function presentReminder(reminder: Reminder): PresentedReminder {
  return {
    reminder_id: reminder.id,
    type: 'private',
    to: [reminder.userId],
    content: reminder.content,
    rendered_content: reminder.renderedContent,
    scheduled_delivery_timestamp: reminder.dueAt,
    failed: false,
    reminder_target_message_id: reminder.messageId,
  }
}
