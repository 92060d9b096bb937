import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/** The event that the user is logged in at Zoom from here, or not any more. Source: docs/interface/events.md#events-about-people. */
export interface StoredHasZoomTokenEvent extends LogEvent {
  readonly type: 'has_zoom_token'
  readonly value: boolean
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    has_zoom_token: StoredHasZoomTokenEvent
  }
}

export const hasZoomTokenEvent = defineEventType<StoredHasZoomTokenEvent>({
  type: 'has_zoom_token',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('has_zoom_token'),
    value: v.boolean(),
  }),
})
