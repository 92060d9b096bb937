import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/** The folders of channels changed. Source: docs/interface/events.md#events-about-channels-and-groups. */
export type StoredChannelFolderEvent = LogEvent & { readonly type: 'channel_folder' } & (
    | { readonly op: 'add'; readonly channel_folder: v.InferOutput<typeof channelFolder> }
    | {
        readonly op: 'update'
        readonly channel_folder_id: number
        readonly data: v.InferOutput<typeof changes>
      }
    | { readonly op: 'reorder'; readonly order: readonly number[] }
  )

export const channelFolder = v.strictObject({
  id: v.number(),
  name: v.string(),
  order: v.number(),
  date_created: v.number(),
  creator_id: v.nullable(v.number()),
  description: v.string(),
  rendered_description: v.string(),
  is_archived: v.boolean(),
})

const changes = v.union([
  v.strictObject({ name: v.string() }),
  v.strictObject({ description: v.string(), rendered_description: v.string() }),
  v.strictObject({ is_archived: v.boolean() }),
])

const envelope = { id: v.number(), type: v.literal('channel_folder') }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    channel_folder: StoredChannelFolderEvent
  }
}

export const channelFolderEvent = defineEventType<StoredChannelFolderEvent>({
  type: 'channel_folder',
  schema: v.union([
    v.strictObject({ ...envelope, op: v.literal('add'), channel_folder: channelFolder }),
    v.strictObject({ ...envelope, op: v.literal('update'), channel_folder_id: v.number(), data: changes }),
    v.strictObject({ ...envelope, op: v.literal('reorder'), order: v.array(v.number()) }),
  ]),
})
