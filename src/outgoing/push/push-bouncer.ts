import { Buffer } from 'node:buffer'
import { log } from '../../core/log.ts'
import { sealBox, secretBox } from '../../core/sealed-box.ts'
import { type GoneDevices, NONE_GONE, type PushOutcome } from '../../model/push/prune-devices.ts'
import type { ClientDevice } from '../../store/client-devices/client-device-rows.ts'
import type { PushDevice, PushErrorCode } from '../../store/push/push-device-rows.ts'
import type { PushToken } from '../../store/push/push-token-rows.ts'
import { askBouncer, BouncerFailure, BouncerRefusal, type PushEnvironment } from './ask-bouncer.ts'
import type { EncryptedNotification, PlainNotification } from './push-notification.ts'
import { secretBoxKey } from './register-token.ts'
import type { TestPush } from './test-notification.ts'

/** The bouncer's ids of the organization and of one of its users. */
interface PushIdentity {
  readonly realmUuid: string
  readonly userUuid: string
}

/**
 * The service that delivers notifications to devices. Everything rejects with BouncerRefusal if the bouncer will never do it, and with
 * another error, mostly BouncerFailure, if it is worth a retry.
 */
export interface PushBouncer {
  readonly isConfigured: boolean
  /** Registers a device for encrypted notifications. A refusal of the registration itself is an outcome. */
  registerDevice(device: PushDevice, realmUuid: string): Promise<PushOutcome>
  /** Registers the token of a device that has a key. Resolves to the reason if the bouncer refuses the registration itself. */
  registerToken(device: ClientDevice, realmUuid: string): Promise<PushErrorCode | undefined>
  insertToken(token: PushToken, identity: PushIdentity): Promise<void>
  removeToken(token: PushToken, identity: PushIdentity): Promise<void>
  /** Sends a notification. Resolves to the devices that no longer exist. */
  notify(notification: PlainNotification | EncryptedNotification): Promise<GoneDevices>
  test(test: TestPush): Promise<void>
}

const OUTCOMES: ReadonlySet<string> = new Set<PushErrorCode>([
  'INVALID_BOUNCER_PUBLIC_KEY',
  'BAD_REQUEST',
  'REQUEST_EXPIRED',
])

/** The bouncer's numbers of the two services. */
const TOKEN_KIND = { apns: 1, fcm: 2 } as const

/** Returns the bouncer of the environment; its settings are read when they are needed. */
export function pushBouncerOf(env: PushEnvironment): PushBouncer {
  return {
    get isConfigured() {
      return Boolean(env.PUSH_BOUNCER_URL)
    },
    registerDevice: (device, realmUuid) => registerDevice(env, device, realmUuid),
    registerToken: (device, realmUuid) => registerToken(env, device, realmUuid),
    async insertToken(token, identity) {
      const app: Record<string, string> = token.appId === null ? {} : { ios_app_id: token.appId }
      await askBouncer(env, 'register', tokenForm(token, identity, app))
    },
    async removeToken(token, identity) {
      await askBouncer(env, 'unregister', tokenForm(token, identity))
    },
    async notify(notification) {
      if (notification.way !== 'plain') return (await notifyEncrypted(env, notification)).gone
      return readDeadTokens(await askBouncer(env, 'notify', notification.request))
    },
    async test({ kind, ...test }) {
      await askBouncer(env, 'test_notification', { ...test, token_kind: TOKEN_KIND[kind] })
    },
  }
}

async function registerDevice(
  env: PushEnvironment,
  device: PushDevice,
  realmUuid: string,
): Promise<PushOutcome> {
  const form = new URLSearchParams({
    realm_uuid: realmUuid,
    push_account_id: device.accountId,
    encrypted_push_registration: device.encryptedRegistration,
    bouncer_public_key: device.bouncerPublicKey,
  })
  const answer = await answerToRegistration(env, form)
  if (typeof answer === 'string') return { errorCode: answer }
  const { device_id } = answer
  if (typeof device_id === 'number' || typeof device_id === 'string') return { deviceId: String(device_id) }
  throw new Error('The push bouncer gave the device no number')
}

async function registerToken(
  env: PushEnvironment,
  device: ClientDevice,
  realmUuid: string,
): Promise<PushErrorCode | undefined> {
  const form = new URLSearchParams({
    realm_uuid: realmUuid,
    token_id: device.pendingPushTokenId ?? '',
    encrypted_push_registration: device.encryptedRegistration ?? '',
    bouncer_public_key: device.bouncerPublicKey ?? '',
  })
  const answer = await answerToRegistration(env, form)
  if (typeof answer === 'string') return answer
  // Some other program may answer in the bouncer's place, and nobody would look for notifications that never come.
  if (answer.result !== 'success') throw new Error('The push bouncer answered something else')
  return undefined
}

/** Returns the bouncer's answer to a registration, or why it refused it. */
async function answerToRegistration(
  env: PushEnvironment,
  form: URLSearchParams,
): Promise<Readonly<Record<string, unknown>> | PushErrorCode> {
  try {
    return await askBouncer(env, 'e2ee/register', form)
  } catch (error) {
    if (!(error instanceof BouncerRefusal) || !OUTCOMES.has(error.code)) throw error
    return error.code as PushErrorCode
  }
}

interface EncryptedReceipt {
  /** Number of devices that got it: one with an invalid key gets nothing. */
  readonly sent: number
  readonly gone: GoneDevices
}

/** @throws BouncerRefusal, BouncerFailure */
export async function notifyEncrypted(
  env: PushEnvironment,
  notification: EncryptedNotification,
): Promise<EncryptedReceipt> {
  const requests = await encryptPushRequests(notification)
  if (requests.length === 0) return { sent: 0, gone: NONE_GONE }
  const answer = await askToNotify(env, notification.realmUuid, requests)
  const gone =
    notification.way === 'sealed' ? idsIn(answer.delete_device_ids) : idsIn(answer.delete_token_ids)
  return { sent: requests.length - gone.length, gone: { ...NONE_GONE, [notification.way]: gone } }
}

function idsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : []
}

async function askToNotify(env: PushEnvironment, realmUuid: string, requests: readonly object[]) {
  try {
    return await askBouncer(env, 'e2ee/notify', { realm_uuid: realmUuid, push_requests: requests })
  } catch (error) {
    // Old bouncers do not know this; unencrypted notifications must not wait for it.
    if (!(error instanceof BouncerFailure) || error.status !== 404) throw error
    throw new BouncerRefusal('NOT_FOUND', 'The push bouncer takes no encrypted notifications')
  }
}

function tokenForm(
  { userId, kind, token }: PushToken,
  { realmUuid, userUuid }: PushIdentity,
  more: Record<string, string> = {},
): URLSearchParams {
  return new URLSearchParams({
    realm_uuid: realmUuid,
    user_uuid: userUuid,
    user_id: String(userId),
    token,
    token_kind: String(TOKEN_KIND[kind]),
    ...more,
  })
}

function readDeadTokens({ deleted_devices }: Readonly<Record<string, unknown>>): GoneDevices {
  const deleted = (deleted_devices ?? {}) as Readonly<Record<string, unknown>>
  return { ...NONE_GONE, fcm: strings(deleted.android_devices), apns: strings(deleted.apple_devices) }
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** A device as the bouncer knows it, and what the device needs for decrypting. */
interface Address {
  /** Fields of the request to the bouncer. */
  readonly device: Readonly<Record<string, unknown>>
  /** Fields of the notification that reaches the device. */
  readonly key: Readonly<Record<string, unknown>>
  readonly kind: 'fcm' | 'apns'
  encrypt(text: Uint8Array): Promise<Uint8Array> | Uint8Array
}

/**
 * Returns a notification in the bouncer's form: one request for each device, with all content encrypted for it. Devices with an invalid
 * key are left out.
 *
 * Sources. The shape: the public API's page on mobile notifications, "data sent to the push notifications service". The older form
 * (levels 406 to 431) has libsodium's sealed box, to the device's public key. The newer one (level 468) has a nonce and libsodium's
 * secretbox, with the device's key, and names a device by the id of its token. That page does not describe a removal on iOS: this is what
 * Apple's documentation calls a background notification.
 */
async function encryptPushRequests(notification: EncryptedNotification): Promise<object[]> {
  const { payload, realmUuid } = notification
  const text = new TextEncoder().encode(JSON.stringify(payload))
  const isSilent = payload.type === 'remove'
  const requests = await Promise.all(
    addressesOf(notification).map((address) => requestFor(realmUuid, address, text, isSilent)),
  )
  return requests.flat()
}

function addressesOf(notification: EncryptedNotification): Address[] {
  if (notification.way === 'sealed') {
    return notification.devices.map(({ deviceId, accountId, tokenKind, publicKey }) => ({
      device: { device_id: jsonInteger(deviceId) },
      key: { push_account_id: jsonInteger(accountId) },
      kind: tokenKind,
      encrypt: (text) => sealBox(text, Buffer.from(publicKey, 'base64')),
    }))
  }
  return notification.devices.map(({ pushTokenId, pushTokenKind, pushKeyId, pushKey }) => ({
    device: { token_id: pushTokenId },
    key: { push_key_id: pushKeyId },
    kind: pushTokenKind,
    encrypt: (text) => secretBox(text, secretBoxKey(pushKey)),
  }))
}

async function requestFor(
  realmUuid: string,
  address: Address,
  text: Uint8Array,
  isSilent: boolean,
): Promise<object[]> {
  try {
    const box = await address.encrypt(text)
    return [presentRequest(address, Buffer.from(box).toString('base64'), isSilent)]
  } catch (error) {
    log('error', 'Notifications cannot be encrypted for a device', {
      realm_uuid: realmUuid,
      ...address.device,
      error,
    })
    return []
  }
}

function presentRequest({ device, key, kind }: Address, encrypted: string, isSilent: boolean) {
  const sealed = { ...key, encrypted_data: encrypted }
  if (kind === 'fcm') return { ...device, fcm_priority: isSilent ? 'normal' : 'high', payload: sealed }
  return {
    ...device,
    http_headers: isSilent
      ? { apns_priority: 5, apns_push_type: 'background' }
      : { apns_priority: 10, apns_push_type: 'alert' },
    payload: {
      ...sealed,
      // The app decrypts it before it is shown. One that is not decrypted is shown like this.
      aps: isSilent
        ? { 'content-available': 1 }
        : { 'mutable-content': 1, alert: { title: 'New notification' } },
    },
  }
}

declare global {
  interface JSON {
    /** Part of ES2026; TypeScript does not know it yet. */
    rawJSON(text: string): object
  }
}

/** Writes an integer of any length as a number in JSON; a JavaScript number would lose digits beyond 2^53. */
function jsonInteger(digits: string): object {
  if (!/^-?(0|[1-9]\d*)$/.test(digits)) throw new RangeError(`Not an integer: ${digits}`)
  return JSON.rawJSON(digits)
}
