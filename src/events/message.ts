import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import {
  type DeliveryContext,
  defineShapedEventType,
  type OutputOf,
  topicFor,
  type WireEvent,
} from './event-type.ts'
import { matchesQueueNarrow } from './queue-narrow.ts'

/** Basic data of a user as `display_recipient` of a direct message shows it. */
export const displayRecipientUser = v.strictObject({
  id: v.number(),
  email: v.string(),
  full_name: v.string(),
  is_mirror_dummy: v.boolean(),
})
export type DisplayRecipientUser = OutputOf<typeof displayRecipientUser>

/** What a message has in events as well as in answers (docs/interface/messages.md#the-message-object). */
export const messageEntries = {
  id: v.number(),
  sender_id: v.number(),
  sender_email: v.string(),
  sender_full_name: v.string(),
  sender_realm_str: v.string(),
  avatar_url: v.nullable(v.string()),
  client: v.string(),
  timestamp: v.number(),
  type: v.picklist(['stream', 'private']),
  stream_id: v.optional(v.number()),
  display_recipient: v.union([v.string(), v.array(displayRecipientUser)]),
  recipient_id: v.number(),
  subject: v.string(),
  topic_links: v.array(v.strictObject({ text: v.string(), url: v.string() })),
  content: v.string(),
  content_type: v.picklist(['text/html', 'text/x-markdown']),
  submessages: v.array(
    v.strictObject({
      id: v.number(),
      message_id: v.number(),
      sender_id: v.number(),
      msg_type: v.string(),
      content: v.string(),
    }),
  ),
  is_me_message: v.boolean(),
}

// A new message has no reactions.
const messageSchema = v.strictObject({ ...messageEntries, reactions: v.array(v.never()) })

/**
 * A new message in the log, once for all receivers. `personal` has the receivers for whom flags were set when
 * it was sent; `flags` are everybody's.
 */
export interface StoredMessageEvent extends LogEvent {
  readonly type: 'message'
  readonly message: Omit<
    OutputOf<typeof messageSchema>,
    'avatar_url' | 'content_type' | 'reactions' | 'submessages'
  > & {
    readonly avatar_url: string
    /** Whether the client may compute the address itself: a third-party picture of an e-mail that all may see. */
    readonly avatar_computable: boolean
    readonly rendered_content: string
    readonly submessages: readonly unknown[]
  }
  readonly flags: readonly string[]
  readonly personal: {
    readonly read?: readonly number[]
    readonly mentioned?: readonly number[]
    readonly topic_wildcard_mentioned?: readonly number[]
    readonly has_alert_word?: readonly number[]
  }
  /** Users without the `read` flag that everybody else has. */
  readonly unread_for?: readonly number[]
  /** For direct messages: `recipient_id` as each participant sees it, in pairs [user id, recipient id]. */
  readonly recipient_ids?: readonly (readonly [number, number])[]
  readonly local?: { readonly queue_id: string; readonly local_id: string }
  /** Receivers who may not see the sender, and what they get instead. */
  readonly unknown?: {
    readonly to: readonly number[]
    readonly email: string
    readonly full_name: string
    readonly avatar_url: string
  }
}

/** A new message. Source: docs/interface/events.md#events-about-messages; docs/interface/messages.md#the-message-object. */
export const messageEvent = defineShapedEventType<StoredMessageEvent, OwnOfMessage>(
  'message',
  [{ flags: v.array(v.string()), message: messageSchema, local_message_id: v.optional(v.string()) }],
  {
    personal(stored, { queue, userId, isReceiver }): OwnOfMessage | undefined {
      const flags = isReceiver ? flagsFor(stored, userId) : []
      if (!matchesQueueNarrow(queue.options.narrow, stored, flags)) return undefined
      const isOwn = userId === stored.message.sender_id
      if (isReceiver && !isOwn && hasOneForm(stored) && flags.length === stored.flags.length)
        return partOfMost(stored)
      return {
        flags,
        isUnknown: stored.unknown?.to.includes(userId) ?? false,
        recipientId: stored.recipient_ids?.find(([id]) => id === userId)?.[1] ?? stored.message.recipient_id,
        // A sender may name any queue; another user's makes no difference.
        isLocal: isOwn && stored.local?.queue_id === queue.id,
      }
    },
    deliver: (stored, context) => [wireMessageEvent(stored, context)],
  },
)

/** The receiver's own part of a message's form. */
interface OwnOfMessage {
  readonly flags: readonly string[]
  readonly isUnknown: boolean
  readonly recipientId: number
  /** Whether the form has the id that the sending client has given the message. */
  readonly isLocal: boolean
}

/** Whether receivers differ by their flags alone. */
function hasOneForm({ unknown, recipient_ids, unread_for }: StoredMessageEvent): boolean {
  return unknown === undefined && recipient_ids === undefined && unread_for === undefined
}

const partsOfMost = new WeakMap<StoredMessageEvent, OwnOfMessage>()

/** Returns the part of receivers without flags of their own: one object for all, so that nothing is compared (`EventRepresentations`). */
function partOfMost(stored: StoredMessageEvent): OwnOfMessage {
  const known = partsOfMost.get(stored)
  if (known) return known
  const { flags, message } = stored
  const part = { flags, isUnknown: false, recipientId: message.recipient_id, isLocal: false }
  partsOfMost.set(stored, part)
  return part
}

function flagsFor(stored: StoredMessageEvent, userId: number): string[] {
  const personal = Object.entries(stored.personal).flatMap(([flag, users]) =>
    users?.includes(userId) ? flag : [],
  )
  const isUnread = stored.unread_for?.includes(userId) ?? false
  const flags = [...new Set([...personal, ...stored.flags])].filter((flag) => flag !== 'read' || !isUnread)
  if (flags.includes('stream_wildcard_mentioned') || flags.includes('topic_wildcard_mentioned')) {
    flags.push('wildcard_mentioned')
  }
  return flags
}

function wireMessageEvent(stored: StoredMessageEvent, context: DeliveryContext<OwnOfMessage>): WireEvent {
  const { content, rendered_content, avatar_computable, ...message } = stored.message
  const { applyMarkdown, clientGravatar } = context.options
  const { flags, isUnknown, recipientId, isLocal } = context.personal
  const unknown = isUnknown ? stored.unknown : undefined
  return {
    type: 'message',
    flags,
    message: {
      ...message,
      avatar_url: clientGravatar && avatar_computable ? null : message.avatar_url,
      ...(unknown
        ? {
            sender_email: unknown.email,
            sender_full_name: unknown.full_name,
            avatar_url: unknown.avatar_url,
          }
        : {}),
      recipient_id: recipientId,
      subject: message.type === 'stream' ? topicFor(context, message.subject) : '',
      content: applyMarkdown ? rendered_content : content,
      content_type: applyMarkdown ? 'text/html' : 'text/x-markdown',
      reactions: [],
    },
    ...(isLocal && stored.local ? { local_message_id: stored.local.local_id } : {}),
  }
}
