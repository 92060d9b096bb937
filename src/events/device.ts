import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { getsRepresentation } from '../core/representations-by-level.ts'
import { defineEventType, defineShapedEventType, namesOldType, type StoredOf } from './event-type.ts'

const device = { device_id: v.number() }
const number = v.optional(v.nullable(v.number()))
const text = v.optional(v.nullable(v.string()))

/**
 * The event that one of the user's devices was registered or removed, or that notifications reach it in another way: an update has only
 * the keys that have changed. Source: the public API, levels 468 and 470.
 */
export const deviceEvent = defineEventType('device', [
  { ...device, op: v.literal('add') },
  {
    ...device,
    op: v.literal('update'),
    push_key_id: number,
    push_token_id: text,
    pending_push_token_id: text,
    push_token_last_updated_timestamp: number,
    push_registration_error_code: text,
  },
  { ...device, op: v.literal('remove') },
])
export type StoredDeviceEvent = StoredOf<typeof deviceEvent>

/** The push service accepted or refused a device in the older form, by the number of an account. */
export type StoredPushDeviceEvent = LogEvent & {
  readonly type: 'push_device'
  /** In decimal digits. */
  readonly push_account_id: string
} & (
    | { readonly status: 'active' }
    | { readonly status: 'failed'; readonly error_code: v.InferOutput<typeof registrationError> }
  )

const registrationError = v.picklist(['INVALID_BOUNCER_PUBLIC_KEY', 'BAD_REQUEST', 'REQUEST_EXPIRED'])
const account = { push_account_id: v.string() }

/**
 * The outcome of registering one of the user's devices in the older form, by the number of an account. Clients that register by device get
 * events `device`. Source: docs/interface/notifications.md#accounts-with-a-number; docs/interface/events.md#events-about-people.
 */
export const pushDeviceEvent = defineShapedEventType<StoredPushDeviceEvent>(
  'push_device',
  [
    { ...account, status: v.literal('active') },
    { ...account, status: v.literal('failed'), error_code: registrationError },
  ],
  {
    personal: ({ type }, { queue: { options } }) =>
      namesOldType(options, type) || !getsRepresentation(options, 'devices of apps with keys alone')
        ? {}
        : undefined,
  },
)
