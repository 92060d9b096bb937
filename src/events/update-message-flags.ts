import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { type DeliveryContext, defineEventType, topicFor } from './event-type.ts'

/**
 * Fields that clients need to make a message unread again. Source: docs/interface/reading.md#change-flags.
 */
export interface MessageDetails {
  readonly type: 'stream' | 'private'
  readonly mentioned?: true
  readonly user_ids?: readonly number[]
  readonly stream_id?: number
  readonly topic?: string
  readonly unmuted_stream_msg?: boolean
}

/** A user's flags changed. Source: docs/interface/events.md#events-about-messages; docs/interface/reading.md#flags. */
export interface StoredUpdateMessageFlagsEvent extends LogEvent {
  readonly type: 'update_message_flags'
  readonly op: 'add' | 'remove'
  readonly flag: string
  readonly messages: readonly number[]
  readonly all: boolean
  readonly message_details?: Readonly<Record<string, MessageDetails>>
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    update_message_flags: StoredUpdateMessageFlagsEvent
  }
}

export const updateMessageFlagsEvent = defineEventType<StoredUpdateMessageFlagsEvent>({
  type: 'update_message_flags',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('update_message_flags'),
    op: v.picklist(['add', 'remove']),
    operation: v.picklist(['add', 'remove']),
    flag: v.string(),
    messages: v.array(v.number()),
    all: v.boolean(),
    message_details: v.optional(
      v.record(
        v.string(),
        v.strictObject({
          type: v.picklist(['stream', 'private']),
          mentioned: v.optional(v.literal(true)),
          user_ids: v.optional(v.array(v.number())),
          stream_id: v.optional(v.number()),
          topic: v.optional(v.string()),
          unmuted_stream_msg: v.optional(v.boolean()),
        }),
      ),
    ),
  }),
  deliver: (stored, context) => [
    {
      ...stored,
      operation: stored.op,
      ...(stored.message_details ? { message_details: detailsFor(stored.message_details, context) } : {}),
    },
  ],
})

function detailsFor(details: Readonly<Record<string, MessageDetails>>, context: DeliveryContext) {
  return Object.fromEntries(
    Object.entries(details).map(([id, detail]) => [
      id,
      detail.topic === undefined ? detail : { ...detail, topic: topicFor(context, detail.topic) },
    ]),
  )
}
