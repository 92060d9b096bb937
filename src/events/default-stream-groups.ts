import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

export const defaultStreamGroup = v.strictObject({
  id: v.number(),
  name: v.string(),
  description: v.string(),
  /** Channel ids, ascending. */
  streams: v.array(v.number()),
})

/** The groups of channels that new users may join together changed: all of them. Source: docs/interface/events.md#events-about-channels-and-groups. */
export interface StoredDefaultStreamGroupsEvent extends LogEvent {
  readonly type: 'default_stream_groups'
  readonly default_stream_groups: readonly v.InferOutput<typeof defaultStreamGroup>[]
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    default_stream_groups: StoredDefaultStreamGroupsEvent
  }
}

export const defaultStreamGroupsEvent = defineEventType<StoredDefaultStreamGroupsEvent>({
  type: 'default_stream_groups',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('default_stream_groups'),
    default_stream_groups: v.array(defaultStreamGroup),
  }),
})
