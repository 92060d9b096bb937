import type { RealmView } from '../../core/realm-transaction.ts'
import type { PresentedReminder, PresentedScheduledMessage } from '../../events/unsent.ts'
import type { Draft, Reminder, ScheduledMessage } from '../../store/unsent/unsent-rows.ts'
import { spelledAsRenamed } from '../messages/topic-of-message.ts'

/** Returns a user's draft in the form for clients, with its topic in the present spelling. Source: docs/interface/personal.md#drafts. */
export function presentDraft(view: Pick<RealmView, 'sql' | 'now'>, userId: number, draft: Draft): Draft {
  const presented = { ...draft, timestamp: Math.floor(draft.timestamp) }
  const [channelId] = draft.to
  if (draft.type !== 'stream' || channelId === undefined) return presented
  return { ...presented, topic: spelledAsRenamed(view, userId, channelId, draft.topic) }
}

/** Presents a scheduled message, with the old names of the types. Source: docs/interface/personal.md#scheduled-messages. */
export function presentScheduledMessage(
  view: Pick<RealmView, 'sql' | 'now'>,
  message: ScheduledMessage,
): PresentedScheduledMessage {
  const { destination } = message
  return {
    scheduled_message_id: message.id,
    ...(destination.kind === 'channel'
      ? {
          type: 'stream',
          to: destination.channelId,
          topic: spelledAsRenamed(view, message.userId, destination.channelId, destination.topic),
        }
      : { type: 'private', to: otherParticipants(destination.userIds, message.userId) }),
    content: message.content,
    rendered_content: message.renderedContent,
    scheduled_delivery_timestamp: message.dueAt,
    failed: message.state === 'failed',
  }
}

/** Returns the participants without the author, unless it is a note to oneself. */
function otherParticipants(userIds: readonly number[], authorId: number): number[] {
  const others = [...new Set(userIds)].filter((id) => id !== authorId).sort((a, b) => a - b)
  return others.length > 0 ? others : [authorId]
}

/** Presents a reminder like a scheduled direct message. Source: docs/interface/personal.md#reminders. */
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
