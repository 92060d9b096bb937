import { deploymentOf } from '../../core/call.ts'
import type { Command } from '../../core/command.ts'
import {
  InvalidPushDeviceTokenError,
  NoActivePushDeviceError,
  PushServiceNotConfiguredError,
} from '../../core/errors.ts'
import { listPushTokens, type PushTokenKind } from '../../store/push/push-token-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import type { Caller } from '../caller.ts'
import { pushIdentity } from './present-push.ts'
import { pushUserUuid, realmUuid } from './push-identity.ts'

/** One request to the bouncer, to deliver a test to one device. */
export interface TestPush {
  readonly realm_uuid: string
  readonly user_uuid: string
  readonly user_id: number
  readonly token: string
  readonly kind: PushTokenKind
  readonly base_payload: Readonly<Record<string, unknown>>
}

export interface TestNotification {
  readonly tests: readonly TestPush[]
}

/**
 * Plans a test notification to one of the caller's devices, or to all.
 *
 * @throws InvalidPushDeviceTokenError when the token is not one of theirs.
 * @throws NoActivePushDeviceError where the organization requires encryption, since this test is readable: a success would promise
 * notifications that never come.
 *
 * Source: docs/interface/notifications.md#register-a-device; the public API's page on test notifications.
 */
export const testNotification: Command<Caller, { readonly token?: string }, void, TestNotification> = {
  apply(tx, { user, source }, { token }) {
    if (!deploymentOf(source).hasPushService) throw new PushServiceNotConfiguredError()
    const devices = listPushTokens(tx.sql, user.id).filter(
      (device) => (token ?? device.token) === device.token,
    )
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
  },
}
