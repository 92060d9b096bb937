import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/** The list of channels that new users join changed. Source: docs/interface/events.md#events-about-channels-and-groups. */
export interface StoredDefaultStreamsEvent extends LogEvent {
  readonly type: 'default_streams'
  /** Ids, ascending. */
  readonly default_streams: readonly number[]
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    default_streams: StoredDefaultStreamsEvent
  }
}

export const defaultStreamsEvent = defineEventType<StoredDefaultStreamsEvent>({
  type: 'default_streams',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('default_streams'),
    default_streams: v.array(v.number()),
  }),
})
