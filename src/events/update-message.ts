import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType, topicFor } from './event-type.ts'

/** Users who have the same flags. */
export type FlagGroup = readonly [flags: readonly string[], userIds: readonly number[]]

/**
 * A message was edited, or messages were moved. `stream_id` is the channel before the move. One request may
 * edit content, topic and channel; then all their fields are present. Source:
 * docs/interface/events.md#events-about-messages; docs/interface/messages.md#events-of-an-edit.
 */
export interface StoredUpdateMessageEvent extends LogEvent {
  readonly type: 'update_message'
  readonly user_id: number | null
  readonly edit_timestamp: number
  /** The message that the request named. */
  readonly message_id: number
  /** All changed messages, ascending. */
  readonly message_ids: readonly number[]
  readonly rendering_only: boolean
  /** Flags of `message_id` for each receiver with a row for it; for others it is read. */
  readonly flags: readonly FlagGroup[]

  readonly stream_id?: number
  readonly stream_name?: string
  /** Receivers who may not know of that channel: they get only its id. */
  readonly unnamed_for?: readonly number[]

  readonly orig_content?: string
  readonly orig_rendered_content?: string
  readonly content?: string
  readonly rendered_content?: string
  readonly is_me_message?: boolean

  /** The topic before the move, also if only the channel changed. */
  readonly orig_subject?: string
  readonly propagate_mode?: 'change_one' | 'change_later' | 'change_all'
  /** The new topic; only if it changed. */
  readonly subject?: string
  readonly topic_links?: readonly { text: string; url: string }[]
  readonly new_stream_id?: number
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    update_message: StoredUpdateMessageEvent
  }
}

export const updateMessageEvent = defineEventType<
  StoredUpdateMessageEvent,
  { flags: readonly string[]; isNamed: boolean }
>({
  type: 'update_message',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('update_message'),
    user_id: v.nullable(v.number()),
    edit_timestamp: v.number(),
    message_id: v.number(),
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
    orig_subject: v.optional(v.string()),
    propagate_mode: v.optional(v.picklist(['change_one', 'change_later', 'change_all'])),
    subject: v.optional(v.string()),
    topic_links: v.optional(v.array(v.strictObject({ text: v.string(), url: v.string() }))),
    new_stream_id: v.optional(v.number()),
  }),
  personal: ({ flags, unnamed_for }, { userId }) => ({
    flags: flags.find(([, userIds]) => userIds.includes(userId))?.[0] ?? ['read'],
    isNamed: !unnamed_for?.includes(userId),
  }),
  deliver({ flags: _, stream_name, unnamed_for, ...stored }, context) {
    const named = (topic: string | undefined) => (topic === undefined ? undefined : topicFor(context, topic))
    return [
      {
        ...stored,
        ...(stream_name === undefined || !context.personal.isNamed ? {} : { stream_name }),
        ...(stored.orig_subject === undefined ? {} : { orig_subject: named(stored.orig_subject) }),
        ...(stored.subject === undefined ? {} : { subject: named(stored.subject) }),
        flags: context.personal.flags,
      },
    ]
  },
})
