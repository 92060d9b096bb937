import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType, hasCapability, topicFor, type WireEvent } from './event-type.ts'

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
  id: v.number(),
  type: v.literal('delete_message'),
  message_type: v.picklist(['private', 'stream']),
  stream_id: v.optional(v.number()),
  topic: v.optional(v.string()),
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    delete_message: StoredDeleteMessageEvent
  }
}

export const deleteMessageEvent = defineEventType<StoredDeleteMessageEvent>({
  type: 'delete_message',
  schema: v.union([
    v.strictObject({ ...location, message_ids: v.array(v.number()) }),
    v.strictObject({ ...location, message_id: v.number() }),
  ]),
  deliver({ message_ids, topic, ...stored }, context): WireEvent[] {
    const where = { ...stored, ...(topic === undefined ? {} : { topic: topicFor(context, topic) }) }
    if (hasCapability(context, 'bulk_message_deletion')) return [{ ...where, message_ids }]
    return message_ids.map((message_id) => ({ ...where, message_id }))
  },
})
