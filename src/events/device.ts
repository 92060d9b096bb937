import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/** The event that one of the user's devices was registered or removed. Source: the public API, levels 468 and 470. */
export interface StoredDeviceEvent extends LogEvent {
  readonly type: 'device'
  readonly op: 'add' | 'remove'
  readonly device_id: number
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    device: StoredDeviceEvent
  }
}

// The public API has `update` too, for what POST /mobile_push/register changes of a device from level 468 on.
export const deviceEvent = defineEventType<StoredDeviceEvent>({
  type: 'device',
  isTraffic: true,
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('device'),
    op: v.picklist(['add', 'remove']),
    device_id: v.number(),
  }),
})
