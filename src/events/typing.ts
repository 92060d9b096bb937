import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType, hasCapability, topicFor } from './event-type.ts'

const person = v.strictObject({ user_id: v.number(), email: v.string() })

/** A user is typing, or has stopped. Kept in memory only. Source: docs/interface/events.md#events-about-messages; docs/interface/messages.md#typing. */
export interface StoredTypingEvent extends LogEvent {
  readonly type: 'typing'
  readonly op: 'start' | 'stop'
  readonly message_type: 'direct' | 'stream'
  readonly sender: v.InferOutput<typeof person>
  readonly recipients?: readonly v.InferOutput<typeof person>[]
  readonly stream_id?: number
  readonly topic?: string
  /** Receivers who may not see the sender, and the address that they get instead. */
  readonly unknown?: { readonly to: readonly number[]; readonly email: string }
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    typing: StoredTypingEvent
  }
}

export const typingEvent = defineEventType<StoredTypingEvent, { isUnknown: boolean }>({
  type: 'typing',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('typing'),
    op: v.picklist(['start', 'stop']),
    message_type: v.picklist(['direct', 'stream']),
    sender: person,
    recipients: v.optional(v.array(person)),
    stream_id: v.optional(v.number()),
    topic: v.optional(v.string()),
  }),
  personal: ({ unknown }, { userId }) => ({ isUnknown: unknown?.to.includes(userId) ?? false }),
  deliver({ unknown, ...stored }, context) {
    if (stored.message_type === 'direct') return [{ ...stored }]
    if (!hasCapability(context, 'stream_typing_notifications')) return []
    const sender =
      unknown && context.personal.isUnknown ? { ...stored.sender, email: unknown.email } : stored.sender
    return [{ ...stored, sender, topic: topicFor(context, stored.topic!) }]
  },
})

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
