import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredPushDeviceEvent } from '../../events/device.ts'
import {
  deleteClientDevice,
  deleteClientDevicesOf,
  listKeyedDevices,
} from '../../store/client-devices/client-device-rows.ts'
import { deleteDeadRegistrations } from '../../store/dead-letters/dead-letter-rows.ts'
import {
  deleteAllPushDevices,
  deleteAllWebPush,
  deletePushDevices,
  deleteWebPush,
  findPushDevice,
  listActiveDevices,
  listWebPush,
  type PushDevice,
  type PushErrorCode,
  putPushOutcome,
} from '../../store/push/push-device-rows.ts'
import { deletePushToken, listPushTokens } from '../../store/push/push-token-rows.ts'
import { deleteShownPushes } from '../../store/push/shown-push-rows.ts'
import { announceDevice, changePushState } from '../client-devices/announce-device.ts'

/** Devices that no longer exist, by the bouncer's answers. */
export interface GoneDevices {
  readonly fcm: readonly string[]
  readonly apns: readonly string[]
  /** The bouncer's ids of devices that get encrypted notifications in the older form. */
  readonly sealed: readonly string[]
  /** Ids of tokens of devices that get encrypted notifications by their keys. */
  readonly keyed: readonly string[]
  /** Ids of browsers' subscriptions. */
  readonly web: readonly number[]
}

export const NONE_GONE: GoneDevices = { fcm: [], apns: [], sealed: [], keyed: [], web: [] }

/** Deletes a user's devices. Those with a key only lose their token, and get an event; others notice when they register again. */
export function dropGoneDevices(
  tx: RealmTransaction,
  userId: number,
  { fcm, apns, sealed, keyed, web }: GoneDevices,
): void {
  if (fcm.length + apns.length + sealed.length + keyed.length + web.length === 0) return
  for (const token of fcm) deletePushToken(tx.sql, { userId, kind: 'fcm', token })
  for (const token of apns) deletePushToken(tx.sql, { userId, kind: 'apns', token })
  if (sealed.length > 0) deletePushDevices(tx.sql, userId, sealed)
  for (const device of listKeyedDevices(tx.sql, userId)) {
    if (keyed.includes(device.pushTokenId)) changePushState(tx, device, WITHOUT_TOKEN)
  }
  if (web.length > 0) deleteWebPush(tx.sql, userId, web)
  pruneDevices(tx, userId)
}

/** Changes of a device with a key that notifications no longer reach. */
export const WITHOUT_TOKEN = { pushTokenId: null, pushTokenKind: null }

/** Removes a device of the user, which gets no further notifications; false when the user has none with this id. */
export function removeDevice(tx: RealmTransaction, userId: number, id: number): boolean {
  if (!deleteClientDevice(tx.sql, userId, id)) return false
  announceDevice(tx, userId, 'remove', id)
  pruneDevices(tx, userId)
  return true
}

/** Deletes all devices of a user, including those that the bouncer has not answered for yet. */
export function dropAllDevices(tx: RealmTransaction, userId: number): void {
  deleteAllWebPush(tx.sql, userId)
  dropPhones(tx, userId)
}

/** Deletes the devices of a user's apps, whose API key is no longer valid. Browsers stay. */
export function dropPhones(tx: RealmTransaction, userId: number): void {
  for (const { kind, token } of listPushTokens(tx.sql, userId)) {
    deletePushToken(tx.sql, { userId, kind, token })
  }
  deleteDeadRegistrations(tx.sql, userId, null)
  deleteAllPushDevices(tx.sql, userId)
  for (const id of deleteClientDevicesOf(tx.sql, userId)) announceDevice(tx, userId, 'remove', id)
  pruneDevices(tx, userId)
}

/** Follows a change of a user's devices: without devices there are no notifications to remove. */
export function pruneDevices(tx: RealmTransaction, userId: number): void {
  const { sql } = tx
  const left = [listPushTokens, listActiveDevices, listKeyedDevices, listWebPush].some(
    (list) => list(sql, userId).length > 0,
  )
  if (!left) deleteShownPushes(sql, userId)
}

/** The bouncer's answer to a registration. */
export type PushOutcome = { readonly deviceId: string } | { readonly errorCode: PushErrorCode }

/** Stores the outcome of a registration, and notifies the user; does nothing if it was repeated meanwhile. */
export function settlePushDevice(tx: RealmTransaction, device: PushDevice, outcome: PushOutcome): void {
  const present = findPushDevice(tx.sql, device.userId, device.accountId)
  if (present?.encryptedRegistration !== device.encryptedRegistration) return
  const deviceId = 'deviceId' in outcome ? outcome.deviceId : null
  const errorCode = 'errorCode' in outcome ? outcome.errorCode : null
  putPushOutcome(tx.sql, device, { deviceId, errorCode })
  pruneDevices(tx, device.userId)
  const event: StoredPushDeviceEvent = {
    type: 'push_device',
    push_account_id: device.accountId,
    ...(errorCode === null ? { status: 'active' } : { status: 'failed', error_code: errorCode }),
  }
  tx.emit(event, toUsers(device.userId))
}
