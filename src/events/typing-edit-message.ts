import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType, topicFor } from './event-type.ts'

const recipient = v.variant('type', [
  v.strictObject({ type: v.literal('channel'), channel_id: v.number(), topic: v.string() }),
  v.strictObject({ type: v.literal('direct'), user_ids: v.array(v.number()) }),
])

/** A user is editing a message, or has stopped. Kept in memory only. Source: docs/interface/events.md#events-about-messages; docs/interface/messages.md#typing. */
export interface StoredTypingEditMessageEvent extends LogEvent {
  readonly type: 'typing_edit_message'
  readonly op: 'start' | 'stop'
  readonly sender_id: number
  readonly message_id: number
  readonly recipient: v.InferOutput<typeof recipient>
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    typing_edit_message: StoredTypingEditMessageEvent
  }
}

/** Every client gets the topic in the form that it knows (docs/decisions/interface.md#conventions). */
export const typingEditMessageEvent = defineEventType<StoredTypingEditMessageEvent>({
  type: 'typing_edit_message',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('typing_edit_message'),
    op: v.picklist(['start', 'stop']),
    sender_id: v.number(),
    message_id: v.number(),
    recipient,
  }),
  deliver: ({ recipient, ...stored }, context) => [
    {
      ...stored,
      recipient:
        recipient.type === 'channel'
          ? { ...recipient, topic: topicFor(context, recipient.topic) }
          : recipient,
    },
  ],
})
