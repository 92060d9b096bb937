import * as v from 'valibot'
import { defineEventType, hasCapability, type StoredOf } from './event-type.ts'

/** What is pinned in a channel changed. It does not say what: not everybody may see all pins. Source: docs/interface/events.md#events-about-channels-and-groups. */
export const channelPinsEvent = defineEventType(
  'channel_pins',
  [{ stream_id: v.number() }],
  (stored, context) => (hasCapability(context, 'channel_pins') ? [stored] : []),
)
export type StoredChannelPinsEvent = StoredOf<typeof channelPinsEvent>
