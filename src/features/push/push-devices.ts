import * as v from 'valibot'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH, TOKEN_LENGTH, WORD_LENGTH } from '../../api/input-limits.ts'
import { described, jsonInteger, listUpTo, NOT_JSON, textUpTo, wordOf } from '../../api/parameter-types.ts'
import { deploymentOf } from '../../core/call.ts'
import {
  MissingParameterError,
  NoActivePushDeviceError,
  PushServiceNotConfiguredError,
} from '../../core/errors.ts'
import { tryParseJson } from '../../core/json.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { type DeclaresLevel, getsRepresentation } from '../../core/representations-by-level.ts'
import type { Caller } from '../../model/caller.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { type GivenKey, type GivenToken, setUpDevice } from '../../outgoing/push/register-token.ts'
import { forgetPushDevices, testSealedNotification } from '../../outgoing/push/test-notification.ts'
import { findPushDevice, putPushDevice, statusOf } from '../../store/push/push-device-rows.ts'
import { testSealedPush } from './in-worker/test-push.ts'

const MAX_UINT32 = 2 ** 32 - 1

/**
 * The client's own number for an account on a device: an integer of up to 64 bits, kept as digits, since a JavaScript number would lose
 * some.
 */
const pushAccountId = v.pipe(
  textUpTo(WORD_LENGTH),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const digits = dataset.value.trim()
    if (/^-?(0|[1-9]\d{0,18})$/.test(digits) && BigInt(digits) <= MAX && BigInt(digits) >= -MAX) return
    addIssue({ message: tryParseJson(digits) === undefined ? NOT_JSON : 'is not an integer' })
  }),
  v.transform((digits) => String(BigInt(digits.trim()))),
)

/**
 * Registers a device for encrypted notifications: by `device_id`, or in the older form by `push_account_id`.
 * Source: docs/interface/notifications.md#encrypted-pushes.
 */
export const registerPushDeviceEndpoint = defineEndpoint({
  operation: 'register-push-device',
  route: 'POST /mobile_push/register',
  access: 'human',
  params: {
    device_id: v.optional(
      described(
        jsonInteger,
        'The id from the answer of POST /register_client_device, with which the key, the token, or both are given.',
      ),
    ),
    push_key_id: v.optional(
      v.pipe(
        jsonInteger,
        v.check((id) => id >= 0 && id <= MAX_UINT32, 'Not a valid unsigned 32-bit integer'),
        v.description('The key: the device’s own number for it.'),
      ),
    ),
    push_key: v.optional(
      described(
        textUpTo(WORD_LENGTH),
        'The key: 0x31 and the 32 bytes of a key for libsodium’s secretbox, in Base64.',
      ),
    ),
    token_kind: v.optional(described(wordOf(['fcm', 'apns']), 'The token, in both forms.')),
    token_id: v.optional(
      described(textUpTo(WORD_LENGTH), 'The token: the first 8 bytes of its SHA-256, in Base64.'),
    ),
    push_account_id: v.optional(
      described(
        pushAccountId,
        'The older form: a random integer that the client has chosen for this account.',
      ),
    ),
    push_public_key: v.optional(described(textUpTo(TOKEN_LENGTH), 'The older form.')),
    bouncer_public_key: v.optional(described(textUpTo(TOKEN_LENGTH), 'The token, in both forms.')),
    encrypted_push_registration: v.optional(described(textUpTo(TOKEN_LENGTH), 'The token, in both forms.')),
  },
  apply(tx, caller, params) {
    const { device_id } = params
    const isConfigured = deploymentOf(caller.source).hasPushService
    if (device_id === undefined) {
      const whole = requireByAccount(params, caller.source)
      if (!isConfigured) throw new PushServiceNotConfiguredError()
      registerByAccount(tx, caller, whole)
      return
    }
    if (!isConfigured) throw new PushServiceNotConfiguredError()
    setUpDevice(tx, caller.user.id, device_id, params)
  },
  audit: 'own',
})

const ids = listUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(TOKEN_LENGTH))

/** Removes devices that a test has found to be gone. */
export const forgetPushDevicesStep = defineStep({
  operation: 'forget-push-devices',
  access: 'human',
  params: { sealed: ids, keyed: ids },
  apply: forgetPushDevices,
  audit: 'own',
})

/**
 * Sends an encrypted test notification to one of the caller's devices, or to all. The answer waits until the push service has accepted it,
 * so that the caller learns of any error. Source: docs/interface/notifications.md#register-a-device.
 */
export const testSealedNotificationEndpoint = defineEndpoint({
  operation: 'test-sealed-notification',
  route: 'POST /mobile_push/e2ee/test_notification',
  access: 'human',
  params: {
    device_id: v.optional(described(jsonInteger, 'The device to notify; all devices by default.')),
    push_account_id: v.optional(
      described(pushAccountId, 'The device to notify, if it was registered in the older form.'),
    ),
  },
  apply: testSealedNotification,
  audit: 'own',
  idempotency: 'harmless',
  async finish(test, _params, worker) {
    const { sent, gone } = await testSealedPush(worker.env, test)
    if (gone.sealed.length + gone.keyed.length > 0) {
      await worker.run(forgetPushDevicesStep.operation, { ...gone })
    }
    if (sent === 0) throw new NoActivePushDeviceError()
    return {}
  },
})

const MAX = 2n ** 63n - 1n

/** The older form, by the client's number for the account. */
interface ByAccount extends Omit<GivenToken, 'token_id'> {
  readonly push_account_id: string
  readonly push_public_key: string
}

/** Parameters of both forms: the newer one names a device. */
export type RegisterPushDeviceParams = Partial<ByAccount & GivenKey & GivenToken> & {
  readonly device_id?: number
}

/**
 * Returns the parameters of the older form. Where one is missing, the form is none that the announced level has.
 * @throws MissingParameterError
 */
function requireByAccount(params: RegisterPushDeviceParams, client: DeclaresLevel): ByAccount {
  const { token_kind, push_account_id, push_public_key, bouncer_public_key, encrypted_push_registration } =
    params
  const form = {
    token_kind,
    push_account_id,
    push_public_key,
    bouncer_public_key,
    encrypted_push_registration,
  }
  const [missing] = Object.entries(form).find(([, value]) => value === undefined) ?? []
  if (missing !== undefined) {
    const isByDevice = getsRepresentation(client, 'devices of apps with keys alone')
    throw new MissingParameterError(isByDevice ? 'device_id' : missing)
  }
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
