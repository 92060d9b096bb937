import { deploymentOf } from '../../core/call.ts'
import type { Command } from '../../core/command.ts'
import { NoActivePushDeviceError, PushServiceNotConfiguredError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { presentSealedTest } from './present-sealed-push.ts'
import { listActiveDevices } from './push-device-rows.ts'
import { type SealedNotification, sealedNotification } from './push-notification.ts'
import { dropGoneDevices, NONE_GONE } from './settle-devices.ts'

export interface SealedTest {
  readonly notification: SealedNotification
}

/** The bouncer's answer to a test. */
export interface SealedTestReceipt {
  /** Number of devices that got it. */
  readonly sent: number
  /** The bouncer's ids of devices that it no longer reaches. */
  readonly gone: readonly string[]
}

/**
 * Plans a test notification to one of the caller's devices that get encrypted ones, or to all.
 *
 * @throws NoActivePushDeviceError when there is none, or the one that is named is not theirs or not active.
 *
 * Source: docs/interface/notifications.md#register-a-device; the public API's page on encrypted test notifications.
 */
export const testSealedNotification: Command<
  Caller,
  { readonly push_account_id?: string },
  void,
  SealedTest
> = {
  apply(tx, { user, source }, { push_account_id }) {
    if (!deploymentOf(source).hasPushService) throw new PushServiceNotConfiguredError()
    const devices = listActiveDevices(tx.sql, user.id).filter(
      ({ accountId }) => (push_account_id ?? accountId) === accountId,
    )
    if (devices.length === 0) throw new NoActivePushDeviceError()
    const payload = presentSealedTest(tx, user.id, source.origin)
    return { notification: sealedNotification(tx, user.id, devices, payload) }
  },
}

/** Removes devices of the caller's that the bouncer no longer reaches. */
export const forgetPushDevices: Command<Caller, { readonly gone: readonly string[] }, void, object> = {
  apply(tx, { user }, { gone }) {
    dropGoneDevices(tx, user.id, { ...NONE_GONE, sealed: gone })
    return {}
  },
}
