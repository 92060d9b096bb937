import type { RealmView } from '../../core/realm-transaction.ts'
import type { PresentedScheduledMessage } from '../../events/unsent.ts'
import type { ScheduledMessage } from '../../store/scheduled-messages/scheduled-message-rows.ts'
import { spelledAsRenamed } from '../messages/topic-of-message.ts'

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
