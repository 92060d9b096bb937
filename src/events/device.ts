import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/**
 * The event that one of the user's devices was registered or removed, or that notifications reach it in another way: an update has only
 * the keys that have changed. Source: the public API, levels 468 and 470.
 */
export interface StoredDeviceEvent extends LogEvent {
  readonly type: 'device'
  readonly op: 'add' | 'update' | 'remove'
  readonly device_id: number
  readonly push_key_id?: number | null
  readonly push_token_id?: string | null
  readonly pending_push_token_id?: string | null
  readonly push_token_last_updated_timestamp?: number | null
  readonly push_registration_error_code?: string | null
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    device: StoredDeviceEvent
  }
}

const envelope = { id: v.number(), type: v.literal('device'), device_id: v.number() }
const number = v.optional(v.nullable(v.number()))
const text = v.optional(v.nullable(v.string()))

export const deviceEvent = defineEventType<StoredDeviceEvent>({
  type: 'device',
  schema: v.union([
    v.strictObject({ ...envelope, op: v.literal('add') }),
    v.strictObject({
      ...envelope,
      op: v.literal('update'),
      push_key_id: number,
      push_token_id: text,
      pending_push_token_id: text,
      push_token_last_updated_timestamp: number,
      push_registration_error_code: text,
    }),
    v.strictObject({ ...envelope, op: v.literal('remove') }),
  ]),
})
