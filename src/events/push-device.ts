import * as v from 'valibot'
import { getsForm } from '../core/forms-by-level.ts'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

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

const envelope = { id: v.number(), type: v.literal('push_device'), push_account_id: v.string() }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    push_device: StoredPushDeviceEvent
  }
}

export const pushDeviceEvent = defineEventType<StoredPushDeviceEvent>({
  type: 'push_device',
  schema: v.union([
    v.strictObject({ ...envelope, status: v.literal('active') }),
    v.strictObject({
      ...envelope,
      status: v.literal('failed'),
      error_code: v.picklist(['INVALID_BOUNCER_PUBLIC_KEY', 'BAD_REQUEST', 'REQUEST_EXPIRED']),
    }),
  ]),
  deliver: (stored, { options }) =>
    getsForm(options, 'devices of apps with keys alone') ? [] : [{ ...stored }],
})
