import * as v from 'valibot'
import {
  defineEventType,
  defineShapedEventType,
  hasCapability,
  type OutputOf,
  type StoredOf,
  topicFor,
} from './event-type.ts'

const person = v.strictObject({ user_id: v.number(), email: v.string() })

const typingEntries = {
  op: v.picklist(['start', 'stop']),
  message_type: v.picklist(['direct', 'stream']),
  sender: person,
  recipients: v.optional(v.array(person)),
  stream_id: v.optional(v.number()),
  topic: v.optional(v.string()),
}

/** A user is typing, or has stopped. Kept in memory only. Source: docs/interface/events.md#events-about-messages; docs/interface/messages.md#typing. */
export interface StoredTypingEvent extends OutputOf<typeof typingEntries> {
  readonly type: 'typing'
  /** Receivers who may not see the sender, and the address that they get instead. */
  readonly unknown?: { readonly to: readonly number[]; readonly email: string }
}

export const typingEvent = defineShapedEventType<StoredTypingEvent, { isUnknown: boolean }>(
  'typing',
  [typingEntries],
  {
    personal: ({ unknown }, { userId }) => ({ isUnknown: unknown?.to.includes(userId) ?? false }),
    deliver({ unknown, ...stored }, context) {
      if (stored.message_type === 'direct') return [{ ...stored }]
      if (!hasCapability(context, 'stream_typing_notifications')) return []
      const sender =
        unknown && context.personal.isUnknown ? { ...stored.sender, email: unknown.email } : stored.sender
      return [{ ...stored, sender, topic: topicFor(context, stored.topic!) }]
    },
  },
)

const recipient = v.variant('type', [
  v.strictObject({ type: v.literal('channel'), channel_id: v.number(), topic: v.string() }),
  v.strictObject({ type: v.literal('direct'), user_ids: v.array(v.number()) }),
])

/**
 * A user is editing a message, or has stopped. Kept in memory only. Every client gets the topic in the form that it knows
 * (docs/decisions/interface.md#conventions). Source: docs/interface/events.md#events-about-messages; docs/interface/messages.md#typing.
 */
export const typingEditMessageEvent = defineEventType(
  'typing_edit_message',
  [{ op: v.picklist(['start', 'stop']), sender_id: v.number(), message_id: v.number(), recipient }],
  ({ recipient, ...stored }, context) => [
    {
      ...stored,
      recipient:
        recipient.type === 'channel'
          ? { ...recipient, topic: topicFor(context, recipient.topic) }
          : recipient,
    },
  ],
)
export type StoredTypingEditMessageEvent = StoredOf<typeof typingEditMessageEvent>
