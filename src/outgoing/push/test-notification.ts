import { deploymentOf } from '../../core/call.ts'
import {
  InvalidPushDeviceTokenError,
  NoActivePushDeviceError,
  PushServiceNotConfiguredError,
} from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { dropGoneDevices, type GoneDevices, NONE_GONE } from '../../model/push/prune-devices.ts'
import { listKeyedDevices } from '../../store/client-devices/client-device-rows.ts'
import { listActiveDevices } from '../../store/push/push-device-rows.ts'
import { listPushTokens, type PushTokenKind } from '../../store/push/push-token-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { presentSealedTest, pushIdentity } from './present-push.ts'
import { pushUserUuid, realmUuid } from './push-identity.ts'
import { type EncryptedNotification, encryptedNotification } from './push-notification.ts'

/** One request to the bouncer, to deliver a test to one device. */
export interface TestPush {
  readonly realm_uuid: string
  readonly user_uuid: string
  readonly user_id: number
  readonly token: string
  readonly kind: PushTokenKind
  readonly base_payload: Readonly<Record<string, unknown>>
}

interface TestNotification {
  readonly tests: readonly TestPush[]
}

/**
 * Plans a test notification to one of the caller's devices, or to all.
 *
 * @throws InvalidPushDeviceTokenError when the token is not one of theirs.
 * @throws NoActivePushDeviceError where the organization requires encryption, since this test is readable: its success would
 * promise notifications that never come.
 *
 * Source: docs/interface/notifications.md#register-a-device; the public API's page on test notifications.
 */
export function testNotification(
  tx: RealmTransaction,
  { user, source }: Caller,
  { token }: { readonly token?: string },
): TestNotification {
  if (!deploymentOf(source).hasPushService) throw new PushServiceNotConfiguredError()
  const devices = listPushTokens(tx.sql, user.id).filter((device) => (token ?? device.token) === device.token)
  if (devices.length === 0 && token !== undefined) throw new InvalidPushDeviceTokenError()
  if (realmProperty(tx.sql, 'require_e2ee_push_notifications')) throw new NoActivePushDeviceError()
  return {
    tests: devices.map((device) => ({
      realm_uuid: realmUuid(tx),
      user_uuid: pushUserUuid(tx, user.id),
      user_id: user.id,
      token: device.token,
      kind: device.kind,
      base_payload: pushIdentity(tx, user.id, source.origin),
    })),
  }
}

export interface SealedTest {
  /** One request to the bouncer for the devices of each form. */
  readonly notifications: readonly EncryptedNotification[]
}

/** Devices that the bouncer no longer reaches. */
type GoneFromTest = Pick<GoneDevices, 'sealed' | 'keyed'>

/** The bouncer's answer to a test. */
export interface SealedTestReceipt {
  readonly sent: number
  readonly gone: GoneFromTest
}

/**
 * Plans an encrypted test notification to one of the caller's devices, or to all.
 *
 * @throws NoActivePushDeviceError when there is none, or the named one is not theirs or not active.
 *
 * Source: docs/interface/notifications.md#register-a-device; the public API's page on encrypted test notifications.
 */
export function testSealedNotification(
  tx: RealmTransaction,
  { user, source }: Caller,
  { device_id, push_account_id }: { readonly device_id?: number; readonly push_account_id?: string },
): SealedTest {
  if (!deploymentOf(source).hasPushService) throw new PushServiceNotConfiguredError()
  const isToAll = device_id === undefined && push_account_id === undefined
  const sealed = listActiveDevices(tx.sql, user.id).filter(
    ({ accountId }) => isToAll || accountId === push_account_id,
  )
  const keyed = listKeyedDevices(tx.sql, user.id).filter(({ id }) => isToAll || id === device_id)
  if (sealed.length + keyed.length === 0) throw new NoActivePushDeviceError()
  const payload = presentSealedTest(tx, user.id, source.origin)
  return {
    notifications: [
      ...(sealed.length > 0
        ? [encryptedNotification(tx, user.id, { way: 'sealed', devices: sealed }, payload)]
        : []),
      ...(keyed.length > 0
        ? [encryptedNotification(tx, user.id, { way: 'keyed', devices: keyed }, payload)]
        : []),
    ],
  }
}

/** Removes devices of the caller that the bouncer no longer reaches. */
export function forgetPushDevices(tx: RealmTransaction, { user }: Caller, gone: GoneFromTest): void {
  dropGoneDevices(tx, user.id, { ...NONE_GONE, ...gone })
}
