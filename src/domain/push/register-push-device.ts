import { deploymentOf } from '../../core/call.ts'
import type { Command } from '../../core/command.ts'
import { PushServiceNotConfiguredError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { findPushDevice, putPushDevice, statusOf } from './push-device-rows.ts'

/** The job that forwards a registration to the bouncer; its key is the user's id and the account's number. */
export const REGISTER_PUSH_DEVICE = 'register-push-device'

export interface RegisterPushDeviceParams {
  readonly token_kind: 'fcm' | 'apns'
  readonly push_account_id: string
  readonly push_public_key: string
  readonly bouncer_public_key: string
  readonly encrypted_push_registration: string
}

/**
 * Registers a device for encrypted notifications. Only the bouncer can read what the device has sent; the
 * answer does not wait for it. Source: docs/interface/notifications.md#encrypted-pushes;
 * docs/decisions/interface.md#settings-and-presence.
 */
export const registerPushDevice: Command<Caller, RegisterPushDeviceParams, void, object> = {
  apply(tx, caller, params) {
    const { user, source } = caller
    if (!deploymentOf(source).hasPushService) throw new PushServiceNotConfiguredError()
    const known = findPushDevice(tx.sql, user.id, params.push_account_id)
    if (known && statusOf(known) !== 'failed') return {}
    const device = {
      userId: user.id,
      accountId: params.push_account_id,
      tokenKind: params.token_kind,
      publicKey: params.push_public_key,
      bouncerPublicKey: params.bouncer_public_key,
      encryptedRegistration: params.encrypted_push_registration,
      requestedAt: tx.now,
    }
    withinQuota(tx, caller, 'pushDevices', () => putPushDevice(tx.sql, device))
    tx.schedule({ kind: REGISTER_PUSH_DEVICE, key: `${user.id}:${params.push_account_id}`, dueAt: tx.now })
    return {}
  },
}
