import { deploymentOf } from '../../core/call.ts'
import { MissingParameterError, PushServiceNotConfiguredError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { findPushDevice, putPushDevice, statusOf } from '../../store/push/push-device-rows.ts'
import type { Caller } from '../caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { type GivenKey, type GivenToken, setUpDevice } from './register-token.ts'

/** The older form, by the client's number for the account. */
interface ByAccount extends Omit<GivenToken, 'token_id'> {
  readonly push_account_id: string
  readonly push_public_key: string
}

/** Parameters of both forms: the newer one names a device. */
export type RegisterPushDeviceParams = Partial<ByAccount & GivenKey & GivenToken> & {
  readonly device_id?: number
}

/** Registers a device for encrypted notifications. Only the bouncer can read the registration; the answer does not wait for it. */
export function registerPushDevice(
  tx: RealmTransaction,
  caller: Caller,
  params: RegisterPushDeviceParams,
): void {
  const { device_id } = params
  const isConfigured = deploymentOf(caller.source).hasPushService
  if (device_id === undefined) {
    const whole = requireByAccount(params)
    if (!isConfigured) throw new PushServiceNotConfiguredError()
    registerByAccount(tx, caller, whole)
    return
  }
  if (!isConfigured) throw new PushServiceNotConfiguredError()
  setUpDevice(tx, caller.user.id, device_id, params)
}

function requireByAccount(params: RegisterPushDeviceParams): ByAccount {
  const { token_kind, push_account_id, push_public_key, bouncer_public_key, encrypted_push_registration } =
    params
  const form = {
    token_kind,
    push_account_id,
    push_public_key,
    bouncer_public_key,
    encrypted_push_registration,
  }
  for (const [name, value] of Object.entries(form))
    if (value === undefined) throw new MissingParameterError(name)
  return form as ByAccount
}

function registerByAccount(tx: RealmTransaction, caller: Caller, params: ByAccount): void {
  const { user } = caller
  const known = findPushDevice(tx.sql, user.id, params.push_account_id)
  if (known && statusOf(known) !== 'failed') return
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
  tx.schedule({ kind: 'register-push-device', key: `${user.id}:${params.push_account_id}`, dueAt: tx.now })
}
