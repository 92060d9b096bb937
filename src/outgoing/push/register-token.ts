import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { BadRequestError, RateLimitHitError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { countAttempt } from '../../model/attempts/count-attempt.ts'
import { changePushState } from '../../model/client-devices/announce-device.ts'
import { pruneDevices, WITHOUT_TOKEN } from '../../model/push/prune-devices.ts'
import {
  type ClientDevice,
  findClientDevice,
  listKeyedDevices,
  type PushState,
} from '../../store/client-devices/client-device-rows.ts'
import type { PushErrorCode } from '../../store/push/push-device-rows.ts'
import { listPushTokens, setPushTokenState } from '../../store/push/push-token-rows.ts'

/** A key for the notifications of a device. */
export interface GivenKey {
  readonly push_key_id: number
  readonly push_key: string
}

/** A token of a device, encrypted for the bouncer. */
export interface GivenToken {
  readonly token_kind: 'fcm' | 'apns'
  readonly token_id: string
  readonly bouncer_public_key: string
  readonly encrypted_push_registration: string
}

/** Limit of an account's registrations, each of which is a request to the bouncer. Apps repeat theirs once a month. */
const REGISTRATIONS = [{ requests: 100, seconds: DAY }]
/** Seconds within which a repeated registration changes nothing. */
const FRESH_SECONDS = DAY

/**
 * Sets a key or a token of the user's device, or both. The key is used at once; the token once the bouncer, which alone
 * can read it, has accepted it. Until then notifications go to the former one. Source:
 * docs/interface/notifications.md#devices-with-a-key.
 *
 * @throws BadRequestError, whereupon nothing is changed.
 */
export function setUpDevice(
  tx: RealmTransaction,
  userId: number,
  deviceId: number,
  given: Partial<GivenKey & GivenToken>,
): void {
  const device = findClientDevice(tx.sql, deviceId)
  if (device?.userId !== userId) throw new BadRequestError('Invalid `device_id`')
  const { push_key_id, push_key, token_kind, token_id, bouncer_public_key, encrypted_push_registration } =
    given
  const key = wholeOrNothing<GivenKey>({ push_key_id, push_key })
  const token = wholeOrNothing<GivenToken>({
    token_kind,
    token_id,
    bouncer_public_key,
    encrypted_push_registration,
  })
  if (!key && !token) throw new BadRequestError(MISSING)
  if (!key && device.pushKeyId === null) {
    throw new BadRequestError('No push registration exists to rotate token for.')
  }
  if (!token && device.pushKeyId === null) {
    throw new BadRequestError('No push registration exists to rotate key for.')
  }
  if (token && isPending(device)) {
    throw new BadRequestError('A registration for the device already in progress.')
  }
  if (key) requirePushKey(key.push_key)
  if (token) requireTokenId(token.token_id)
  const changes = {
    ...changesBy(key),
    ...(token && needsBouncer(tx, device, token) ? pendingBy(tx, token) : {}),
  }
  if (changes.pendingPushTokenId !== undefined) {
    const wait = countAttempt(tx, {
      table: 'push_registration',
      owner: String(userId),
      limits: REGISTRATIONS,
    })
    if (wait !== undefined) throw new RateLimitHitError(wait)
    tx.schedule({ kind: 'register-token', key: String(deviceId), dueAt: tx.now })
  }
  changePushState(tx, device, changes)
}

/** The refusal of parameters that are neither a whole key nor a whole token. */
const MISSING = 'Missing parameters: must provide either all push key fields, all token fields, or both.'

/** Returns the fields if all of them are given; undefined if none is. @throws BadRequestError when only some are. */
function wholeOrNothing<Fields extends object>(
  fields: {
    readonly [Name in keyof Fields]: Fields[Name] | undefined
  },
): Fields | undefined {
  const given = Object.values(fields).filter((value) => value !== undefined).length
  if (given === 0) return undefined
  if (given < Object.keys(fields).length) throw new BadRequestError(MISSING)
  return fields as Fields
}

/** Whether the bouncer has not answered for the device's newest token yet. */
export function isPending({ pendingPushTokenId, pushErrorCode }: ClientDevice): boolean {
  return pendingPushTokenId !== null && pushErrorCode === null
}

/** Whether the token is new to the device, or was registered long ago: services forget tokens, so apps register again. */
function needsBouncer({ now }: RealmTransaction, device: ClientDevice, token: GivenToken): boolean {
  const isKnown =
    device.pushErrorCode === null &&
    device.pushTokenId === token.token_id &&
    device.pushTokenKind === token.token_kind
  return !isKnown || now - (device.pushTokenUpdatedAt ?? 0) >= FRESH_SECONDS
}

function changesBy(key: GivenKey | undefined): Partial<PushState> {
  return key ? { pushKeyId: key.push_key_id, pushKey: key.push_key } : {}
}

function pendingBy({ now }: RealmTransaction, token: GivenToken): Partial<PushState> {
  return {
    pendingPushTokenId: token.token_id,
    pendingPushTokenKind: token.token_kind,
    pushTokenUpdatedAt: Math.floor(now),
    pushErrorCode: null,
    bouncerPublicKey: token.bouncer_public_key,
    encryptedRegistration: token.encrypted_push_registration,
  }
}

/** Changes of a device for which the bouncer has answered: its own part of the registration is not kept. */
const ANSWERED = { bouncerPublicKey: null, encryptedRegistration: null }

/**
 * Stores that the bouncer has accepted or refused the token of a device, and notifies the user; does nothing if the
 * device was removed meanwhile. A refused token stays pending, with the reason.
 */
export function settleToken(
  tx: RealmTransaction,
  asked: ClientDevice,
  error: PushErrorCode | undefined,
): void {
  const device = findClientDevice(tx.sql, asked.id)
  if (!device || !isPending(device) || device.encryptedRegistration !== asked.encryptedRegistration) return
  if (error) {
    changePushState(tx, device, { ...ANSWERED, pushErrorCode: error })
    return
  }
  const tokenId = device.pendingPushTokenId!
  leaveTokenTo(tx, device, tokenId)
  changePushState(tx, device, {
    ...ANSWERED,
    pushTokenId: tokenId,
    pushTokenKind: device.pendingPushTokenKind,
    pendingPushTokenId: null,
    pendingPushTokenKind: null,
  })
  pruneDevices(tx, device.userId)
}

/** Ends the user's other registrations with the token: one app must not get every notification twice. */
function leaveTokenTo(tx: RealmTransaction, { id, userId }: ClientDevice, tokenId: string): void {
  for (const other of listKeyedDevices(tx.sql, userId)) {
    if (other.id !== id && other.pushTokenId === tokenId) changePushState(tx, other, WITHOUT_TOKEN)
  }
  const plain = listPushTokens(tx.sql, userId).filter(({ kind, token }) =>
    idsOf(kind, token).includes(tokenId),
  )
  for (const token of plain) setPushTokenState(tx.sql, token, 'gone')
  if (plain.length > 0) tx.schedule({ kind: 'deliver-pushes', key: '', dueAt: tx.now })
}

/** Returns the ids that a token may have: iOS tokens are hexadecimal, in either case. */
function idsOf(kind: 'fcm' | 'apns', token: string): string[] {
  const spellings = kind === 'apns' ? [token, token.toLowerCase(), token.toUpperCase()] : [token]
  return spellings.map(tokenIdOf)
}

/** The first byte of a key: its cipher, XSalsa20 with Poly1305. */
const SECRET_BOX = 0x31
const PUSH_KEY_BYTES = 33
const TOKEN_ID_BYTES = 8
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Throws unless the text is the key of a device in Base64. Source: the public API's page on registering devices. */
function requirePushKey(text: string): void {
  const bytes = bytesOf(text)
  if (bytes?.length !== PUSH_KEY_BYTES || bytes[0] !== SECRET_BOX) {
    throw new BadRequestError('Invalid `push_key`')
  }
}

/** Returns the cipher's part of a device's key. */
export function secretBoxKey(pushKey: string): Uint8Array {
  return Uint8Array.from(Buffer.from(pushKey, 'base64').subarray(1))
}

function requireTokenId(text: string): void {
  const bytes = bytesOf(text)
  if (!bytes) throw new BadRequestError('`token_id` is not Base64 encoded')
  // The public server cannot store another number of bytes, and has no text for it.
  if (bytes.length !== TOKEN_ID_BYTES) throw new BadRequestError('Invalid `token_id`')
}

/** Returns the id by which devices and the bouncer name a token. */
function tokenIdOf(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, TOKEN_ID_BYTES).toString('base64')
}

function bytesOf(base64: string): Uint8Array | undefined {
  return BASE64.test(base64) ? Buffer.from(base64, 'base64') : undefined
}
