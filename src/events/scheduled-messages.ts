import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { type DeliveryContext, defineEventType, topicFor } from './event-type.ts'

/** A scheduled message, for its author's clients. Source: docs/interface/personal.md#scheduled-messages. */
export interface PresentedScheduledMessage {
  readonly scheduled_message_id: number
  readonly type: 'stream' | 'private'
  /** A channel's id, or the ids of the other participants. */
  readonly to: number | readonly number[]
  /** Channel messages only. */
  readonly topic?: string
  readonly content: string
  readonly rendered_content: string
  /** UNIX seconds. */
  readonly scheduled_delivery_timestamp: number
  readonly failed: boolean
}

/**
 * Messages were scheduled or changed, or are no longer scheduled since they were sent or deleted. Source:
 * docs/interface/events.md#events-about-what-is-ones-own.
 */
export type StoredScheduledMessagesEvent = LogEvent & { readonly type: 'scheduled_messages' } & (
    | { readonly op: 'add'; readonly scheduled_messages: readonly PresentedScheduledMessage[] }
    | { readonly op: 'update'; readonly scheduled_message: PresentedScheduledMessage }
    | { readonly op: 'remove'; readonly scheduled_message_id: number }
  )

export const scheduledMessageEntries = {
  scheduled_message_id: v.number(),
  type: v.picklist(['stream', 'private']),
  to: v.union([v.number(), v.array(v.number())]),
  topic: v.optional(v.string()),
  content: v.string(),
  rendered_content: v.string(),
  scheduled_delivery_timestamp: v.number(),
  failed: v.boolean(),
}

const envelope = { id: v.number(), type: v.literal('scheduled_messages') }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    scheduled_messages: StoredScheduledMessagesEvent
  }
}

export const scheduledMessagesEvent = defineEventType<StoredScheduledMessagesEvent>({
  type: 'scheduled_messages',
  schema: v.union([
    v.strictObject({
      ...envelope,
      op: v.literal('add'),
      scheduled_messages: v.array(v.strictObject(scheduledMessageEntries)),
    }),
    v.strictObject({
      ...envelope,
      op: v.literal('update'),
      scheduled_message: v.strictObject(scheduledMessageEntries),
    }),
    v.strictObject({ ...envelope, op: v.literal('remove'), scheduled_message_id: v.number() }),
  ]),
  deliver(stored, context) {
    switch (stored.op) {
      case 'add':
        return [
          { ...stored, scheduled_messages: stored.scheduled_messages.map((one) => named(one, context)) },
        ]
      case 'update':
        return [{ ...stored, scheduled_message: named(stored.scheduled_message, context) }]
      case 'remove':
        return [{ ...stored }]
    }
  },
})

function named(message: PresentedScheduledMessage, context: DeliveryContext): PresentedScheduledMessage {
  return message.topic === undefined ? message : { ...message, topic: topicFor(context, message.topic) }
}
