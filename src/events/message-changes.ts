import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { type DeclaresLevel, getsRepresentation } from '../core/representations-by-level.ts'
import {
  type DeliveryContext,
  defineShapedEventType,
  hasCapability,
  type OutputOf,
  topicFor,
  type WireEvent,
} from './event-type.ts'

/** Users who have the same flags. */
export type FlagGroup = readonly [flags: readonly string[], userIds: readonly number[]]

const updateMessage = {
  user_id: v.nullable(v.number()),
  edit_timestamp: v.number(),
  /** The message that the request named. */
  message_id: v.number(),
  /** All changed messages, ascending. */
  message_ids: v.array(v.number()),
  rendering_only: v.boolean(),
  flags: v.array(v.string()),

  stream_id: v.optional(v.number()),
  stream_name: v.optional(v.string()),

  orig_content: v.optional(v.string()),
  orig_rendered_content: v.optional(v.string()),
  content: v.optional(v.string()),
  rendered_content: v.optional(v.string()),
  is_me_message: v.optional(v.boolean()),

  /** The topic before the move, also if only the channel changed. */
  orig_subject: v.optional(v.string()),
  propagate_mode: v.optional(v.picklist(['change_one', 'change_later', 'change_all'])),
  /** The new topic; only if it changed. */
  subject: v.optional(v.string()),
  topic_links: v.optional(v.array(v.strictObject({ text: v.string(), url: v.string() }))),
  new_stream_id: v.optional(v.number()),
}

/**
 * A message was edited, or messages were moved. `stream_id` is the channel before the move. One request may
 * edit content, topic and channel; then all their fields are present. Source:
 * docs/interface/events.md#events-about-messages; docs/interface/messages.md#events-of-an-edit.
 */
export interface StoredUpdateMessageEvent extends LogEvent, Omit<OutputOf<typeof updateMessage>, 'flags'> {
  readonly type: 'update_message'
  /** Flags of `message_id` for each receiver with a row for it; for others it is read. */
  readonly flags: readonly FlagGroup[]
  /** Receivers who may not know of the channel before the move: they get only its id. */
  readonly unnamed_for?: readonly number[]
  /** Receivers who could not read the message before the move: they do not get its former topic. */
  readonly new_to?: readonly number[]
}

export const updateMessageEvent = defineShapedEventType<
  StoredUpdateMessageEvent,
  { flags: readonly string[]; isNamed: boolean; isNew: boolean }
>('update_message', [updateMessage], {
  personal: ({ flags, unnamed_for, new_to }, { userId }) => ({
    flags: flags.find(([, userIds]) => userIds.includes(userId))?.[0] ?? ['read'],
    isNamed: !unnamed_for?.includes(userId),
    isNew: new_to?.includes(userId) === true,
  }),
  deliver({ flags: _, stream_name, unnamed_for, new_to, ...stored }, context) {
    const named = (topic: string | undefined) => (topic === undefined ? undefined : topicFor(context, topic))
    // Clients read a former topic in every move, so that it is the new one.
    const before = (context.personal.isNew ? stored.subject : undefined) ?? stored.orig_subject
    return [
      {
        ...stored,
        ...(stream_name === undefined || !context.personal.isNamed ? {} : { stream_name }),
        ...(before === undefined ? {} : { orig_subject: named(before) }),
        ...(stored.subject === undefined ? {} : { subject: named(stored.subject) }),
        flags: flagsFor(context.options, context.personal.flags),
      },
    ]
  },
})

/** Fields that clients need to make a message unread again. Source: docs/interface/reading.md#change-flags. */
export type MessageDetails = OutputOf<typeof messageDetails>

const messageDetails = v.strictObject({
  type: v.picklist(['stream', 'private']),
  mentioned: v.optional(v.literal(true)),
  user_ids: v.optional(v.array(v.number())),
  stream_id: v.optional(v.number()),
  topic: v.optional(v.string()),
  unmuted_stream_msg: v.optional(v.boolean()),
})

/** A user's flags changed. Source: docs/interface/events.md#events-about-messages; docs/interface/reading.md#flags. */
export interface StoredUpdateMessageFlagsEvent extends OutputOf<typeof flagChange> {
  readonly type: 'update_message_flags'
  readonly op: 'add' | 'remove'
}

const op = v.picklist(['add', 'remove'])

const flagChange = {
  flag: v.string(),
  messages: v.array(v.number()),
  all: v.boolean(),
  message_details: v.optional(v.record(v.string(), messageDetails)),
}

export const updateMessageFlagsEvent = defineShapedEventType<StoredUpdateMessageFlagsEvent>(
  'update_message_flags',
  [{ op, operation: op, ...flagChange }],
  {
    deliver: (stored, context) =>
      flagsFor(context.options, [stored.flag]).map(() => ({
        ...stored,
        operation: stored.op,
        ...(stored.message_details ? { message_details: detailsFor(stored.message_details, context) } : {}),
      })),
  },
)

/** Returns the flags that a client of its level knows. */
function flagsFor(client: DeclaresLevel, flags: readonly string[]): readonly string[] {
  if (getsRepresentation(client, 'flag hide_link_previews')) return flags
  return flags.filter((flag) => flag !== 'hide_link_previews')
}

function detailsFor(details: Readonly<Record<string, MessageDetails>>, context: DeliveryContext) {
  return Object.fromEntries(
    Object.entries(details).map(([id, detail]) => [
      id,
      detail.topic === undefined ? detail : { ...detail, topic: topicFor(context, detail.topic) },
    ]),
  )
}

/**
 * Messages are gone: deleted, or moved to where the receiver may not see them. Its log entry takes as many ids as
 * there are messages, for clients that want one event for each. Source: docs/interface/events.md#events-about-messages.
 */
export interface StoredDeleteMessageEvent extends LogEvent {
  readonly type: 'delete_message'
  readonly message_type: 'private' | 'stream'
  /** Ascending ids. */
  readonly message_ids: readonly number[]
  /** Channel messages only. */
  readonly stream_id?: number
  readonly topic?: string
}

const location = {
  message_type: v.picklist(['private', 'stream']),
  stream_id: v.optional(v.number()),
  topic: v.optional(v.string()),
}

export const deleteMessageEvent = defineShapedEventType<StoredDeleteMessageEvent>(
  'delete_message',
  [
    { ...location, message_ids: v.array(v.number()) },
    { ...location, message_id: v.number() },
  ],
  {
    deliver({ message_ids, topic, ...stored }, context): WireEvent[] {
      const where = { ...stored, ...(topic === undefined ? {} : { topic: topicFor(context, topic) }) }
      if (hasCapability(context, 'bulk_message_deletion')) return [{ ...where, message_ids }]
      return message_ids.map((message_id) => ({ ...where, message_id }))
    },
  },
)
