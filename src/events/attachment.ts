import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { type DeclaresLevel, getsRepresentation } from '../core/representations-by-level.ts'
import { defineShapedEventType } from './event-type.ts'

/** An attachment for its owner, with messages that link to it. Both times in milliseconds. */
export interface PresentedAttachment {
  readonly id: number
  readonly name: string
  readonly path_id: string
  readonly size: number
  readonly create_time: number
  readonly messages: readonly LinkingMessage[]
}

export interface LinkingMessage {
  readonly id: number
  readonly date_sent: number
}

/** The uploads of a user have changed; emitted to that user alone. Source: docs/interface/events.md#events-about-what-is-ones-own. */
export type StoredAttachmentEvent = LogEvent & {
  readonly type: 'attachment'
  /** Bytes, of the whole organization. */
  readonly upload_space_used: number
} & (
    | { readonly op: 'add' | 'update'; readonly attachment: PresentedAttachment }
    | { readonly op: 'remove'; readonly attachment: { readonly id: number } }
  )

/** Returns an attachment as a client of its level knows it. */
export function attachmentFor(client: DeclaresLevel, { messages, ...attachment }: PresentedAttachment) {
  const inTime = (milliseconds: number) =>
    getsRepresentation(client, 'uploads with times in seconds')
      ? Math.floor(milliseconds / 1_000)
      : milliseconds
  return {
    ...attachment,
    create_time: inTime(attachment.create_time),
    ...(getsRepresentation(client, 'uploads with message_ids')
      ? { message_ids: messages.map(({ id }) => id) }
      : { messages: messages.map(({ id, date_sent }) => ({ id, date_sent: inTime(date_sent) })) }),
  }
}

const space = { upload_space_used: v.number() }

export const attachmentEvent = defineShapedEventType<StoredAttachmentEvent>(
  'attachment',
  [
    {
      ...space,
      op: v.picklist(['add', 'update']),
      attachment: v.strictObject({
        id: v.number(),
        name: v.string(),
        path_id: v.string(),
        size: v.number(),
        create_time: v.number(),
        messages: v.optional(v.array(v.strictObject({ id: v.number(), date_sent: v.number() }))),
        message_ids: v.optional(v.array(v.number())),
      }),
    },
    { ...space, op: v.literal('remove'), attachment: v.strictObject({ id: v.number() }) },
  ],
  {
    deliver: (stored, { options }) => [
      stored.op === 'remove'
        ? { ...stored }
        : { ...stored, attachment: attachmentFor(options, stored.attachment) },
    ],
  },
)
