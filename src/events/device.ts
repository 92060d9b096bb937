import * as v from 'valibot'
import { getsForm } from '../core/forms-by-level.ts'
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

const deviceEnvelope = { id: v.number(), type: v.literal('device'), device_id: v.number() }
const number = v.optional(v.nullable(v.number()))
const text = v.optional(v.nullable(v.string()))

export const deviceEvent = defineEventType<StoredDeviceEvent>({
  type: 'device',
  schema: v.union([
    v.strictObject({ ...deviceEnvelope, op: v.literal('add') }),
    v.strictObject({
      ...deviceEnvelope,
      op: v.literal('update'),
      push_key_id: number,
      push_token_id: text,
      pending_push_token_id: text,
      push_token_last_updated_timestamp: number,
      push_registration_error_code: text,
    }),
    v.strictObject({ ...deviceEnvelope, op: v.literal('remove') }),
  ]),
})

/**
 * The outcome of registering one of the user's devices in the older form, by the number of an account. Clients that register by device get
 * events `device`. Source: docs/interface/notifications.md#accounts-with-a-number; docs/interface/events.md#events-about-people.
 */
export interface StoredPushDeviceEvent extends LogEvent {
  readonly type: 'push_device'
  /** Number in decimal digits. */
  readonly push_account_id: string
  readonly status: 'active' | 'failed'
  /** Reason of a failure. */
  readonly error_code?: string
}

const pushDeviceEnvelope = { id: v.number(), type: v.literal('push_device'), push_account_id: v.string() }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    push_device: StoredPushDeviceEvent
  }
}

export const pushDeviceEvent = defineEventType<StoredPushDeviceEvent>({
  type: 'push_device',
  schema: v.union([
    v.strictObject({ ...pushDeviceEnvelope, status: v.literal('active') }),
    v.strictObject({
      ...pushDeviceEnvelope,
      status: v.literal('failed'),
      error_code: v.picklist(['INVALID_BOUNCER_PUBLIC_KEY', 'BAD_REQUEST', 'REQUEST_EXPIRED']),
    }),
  ]),
  deliver: (stored, { options }) =>
    getsForm(options, 'devices of apps with keys alone') ? [] : [{ ...stored }],
})
