import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/** The uploads of a user have changed; emitted to that user alone. Source: docs/interface/events.md#events-about-what-is-ones-own. */
export interface StoredAttachmentEvent extends LogEvent {
  readonly type: 'attachment'
  readonly op: 'add' | 'update' | 'remove'
  readonly attachment: { readonly id: number } & Readonly<Record<string, unknown>>
  /** Bytes, of the whole organization. */
  readonly upload_space_used: number
}

const envelope = { id: v.number(), type: v.literal('attachment'), upload_space_used: v.number() }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    attachment: StoredAttachmentEvent
  }
}

export const attachmentEvent = defineEventType<StoredAttachmentEvent>({
  type: 'attachment',
  isTraffic: true,
  schema: v.union([
    v.strictObject({
      ...envelope,
      op: v.picklist(['add', 'update']),
      attachment: v.strictObject({
        id: v.number(),
        name: v.string(),
        path_id: v.string(),
        size: v.number(),
        create_time: v.number(),
        messages: v.array(v.strictObject({ id: v.number(), date_sent: v.number() })),
      }),
    }),
    v.strictObject({ ...envelope, op: v.literal('remove'), attachment: v.strictObject({ id: v.number() }) }),
  ]),
})
