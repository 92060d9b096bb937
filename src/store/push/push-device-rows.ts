import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

const DEVICES = new Rows<PushDevice>(
  'push_device',
  'user_id account_id token_kind public_key bouncer_public_key encrypted_registration requested_at device_id error_code',
)

/** A device that is to get encrypted notifications. The table `push_device` is owned by this file. */
export interface PushDevice {
  readonly userId: number
  /** The client's own number for the account, in decimal digits: up to 64 bits. */
  readonly accountId: string
  readonly tokenKind: 'fcm' | 'apns'
  readonly publicKey: string
  readonly bouncerPublicKey: string
  readonly encryptedRegistration: string
  /** UNIX seconds. */
  readonly requestedAt: number
  /** The bouncer's id for it; null until the bouncer has accepted it. */
  readonly deviceId: string | null
  /** The reason for which the bouncer has refused it. */
  readonly errorCode: PushErrorCode | null
}

/** Errors of a registration (docs/interface/notifications.md#encrypted-pushes). */
export type PushErrorCode = 'INVALID_BOUNCER_PUBLIC_KEY' | 'BAD_REQUEST' | 'REQUEST_EXPIRED'

export type PushDeviceStatus = 'active' | 'pending' | 'failed'

export function statusOf({ deviceId, errorCode }: PushDevice): PushDeviceStatus {
  if (errorCode !== null) return 'failed'
  return deviceId === null ? 'pending' : 'active'
}

export function findPushDevice(sql: Sql, userId: number, accountId: string): PushDevice | undefined {
  return DEVICES.find(sql, `WHERE user_id = ? AND account_id = ?`, userId, accountId)
}

/** A device that the bouncer has accepted. */
export type ActivePushDevice = PushDevice & { readonly deviceId: string }

/** Lists the devices of a user that encrypted notifications reach. */
export function listActiveDevices(sql: Sql, userId: number): ActivePushDevice[] {
  return listPushDevices(sql, userId).flatMap((device) =>
    statusOf(device) === 'active' ? [device as ActivePushDevice] : [],
  )
}

/** Returns the users with a device that encrypted notifications reach, ascending. */
export function usersWithActiveDevices(sql: Sql): number[] {
  return sql.values(
    `SELECT DISTINCT user_id FROM push_device
       WHERE device_id IS NOT NULL AND error_code IS NULL ORDER BY user_id`,
  )
}

/** Deletes a user's devices by the bouncer's ids. */
export function deletePushDevices(sql: WritableSql, userId: number, deviceIds: readonly string[]): void {
  sql.run(
    `DELETE FROM push_device WHERE user_id = ? AND device_id IN (SELECT value FROM json_each(?))`,
    userId,
    deviceIds,
  )
}

export function deleteAllPushDevices(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM push_device WHERE user_id = ?`, userId)
}

export function listPushDevices(sql: Sql, userId: number): PushDevice[] {
  return DEVICES.list(sql, `WHERE user_id = ? ORDER BY account_id`, userId)
}

/** Enters a device as pending, replacing its earlier registration. */
export function putPushDevice(sql: WritableSql, device: Omit<PushDevice, 'deviceId' | 'errorCode'>): void {
  sql.run(
    `INSERT INTO push_device (user_id, account_id, token_kind, public_key, bouncer_public_key,
       encrypted_registration, requested_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
     ON CONFLICT (user_id, account_id) DO UPDATE SET token_kind = ?3, public_key = ?4, bouncer_public_key = ?5,
       encrypted_registration = ?6, requested_at = ?7, device_id = NULL, error_code = NULL`,
    device.userId,
    device.accountId,
    device.tokenKind,
    device.publicKey,
    device.bouncerPublicKey,
    device.encryptedRegistration,
    Math.floor(device.requestedAt),
  )
}

export function putPushOutcome(
  sql: WritableSql,
  { userId, accountId }: Pick<PushDevice, 'userId' | 'accountId'>,
  outcome: Pick<PushDevice, 'deviceId' | 'errorCode'>,
): void {
  sql.run(
    `UPDATE push_device SET device_id = ?, error_code = ? WHERE user_id = ? AND account_id = ?`,
    outcome.deviceId,
    outcome.errorCode,
    userId,
    accountId,
  )
}

/** Address at which a browser's push service takes notifications for it, and the keys to encrypt them (RFC 8030, 8291). */
export interface WebPushSubscription {
  readonly id: number
  readonly endpoint: string
  /** The browser's public key and its secret, in Base64 for URLs. */
  readonly p256dh: string
  readonly auth: string
  /** Until when the browser's notifications are paused by hand (UNIX seconds); 0 for not. */
  readonly pausedUntil: number
  /** When they are paused every day: times such as `22:00`, and the IANA name of their zone. All are null, or none. */
  readonly quietFrom: string | null
  readonly quietTo: string | null
  readonly quietZone: string | null
}

/** Number of subscriptions of one account; a new one replaces the oldest. */
const WEB_PUSH_OF_ACCOUNT = 20

const WEB_PUSH = new Rows<WebPushSubscription>(
  'web_push_subscription',
  'id endpoint p256dh auth paused_until quiet_from quiet_to quiet_zone',
)

/** Enters a subscription, replacing any earlier one of the same browser, also another user's. */
export function putWebPush(
  sql: WritableSql,
  userId: number,
  sessionId: number | null,
  subscription: Omit<WebPushSubscription, 'id'>,
): void {
  sql.run(`DELETE FROM web_push_subscription WHERE endpoint = ?`, subscription.endpoint)
  sql.run(
    `DELETE FROM web_push_subscription WHERE id IN (
       SELECT id FROM web_push_subscription WHERE user_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    userId,
    WEB_PUSH_OF_ACCOUNT - 1,
  )
  WEB_PUSH.insert(sql, subscription, { user_id: userId, session_id: sessionId })
}

/** Returns the user whose subscription has this endpoint; undefined without one. */
export function userOfWebPush(sql: Sql, endpoint: string): number | undefined {
  return sql.value(`SELECT user_id FROM web_push_subscription WHERE endpoint = ?`, endpoint)
}

export function listWebPush(sql: Sql, userId: number): WebPushSubscription[] {
  return WEB_PUSH.list(sql, `WHERE user_id = ? ORDER BY id`, userId)
}

/** Returns the ids of users with subscriptions, ascending. */
export function usersWithWebPush(sql: Sql): number[] {
  return sql.values(`SELECT DISTINCT user_id FROM web_push_subscription ORDER BY user_id`)
}

/** Deletes subscriptions of the user. */
export function deleteWebPush(sql: WritableSql, userId: number, ids: readonly number[]): void {
  sql.run(
    `DELETE FROM web_push_subscription WHERE user_id = ? AND id IN (SELECT value FROM json_each(?))`,
    userId,
    ids,
  )
}

export function deleteAllWebPush(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM web_push_subscription WHERE user_id = ?`, userId)
}
