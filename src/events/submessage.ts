import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/**
 * A submessage was added to a message's widget. Source: docs/interface/events.md#events-about-messages;
 * docs/interface/messages.md#widgets.
 */
export interface StoredSubmessageEvent extends LogEvent {
  readonly type: 'submessage'
  readonly msg_type: string
  readonly message_id: number
  readonly submessage_id: number
  readonly sender_id: number
  readonly content: string
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    submessage: StoredSubmessageEvent
  }
}

export const submessageEvent = defineEventType<StoredSubmessageEvent>({
  type: 'submessage',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('submessage'),
    msg_type: v.string(),
    message_id: v.number(),
    submessage_id: v.number(),
    sender_id: v.number(),
    content: v.string(),
  }),
})
