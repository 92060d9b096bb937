import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

const DEVICES = new Rows<ClientDevice>(
  'client_device',
  'id user_id push_key push_key_id push_token_id push_token_kind pending_push_token_id pending_push_token_kind push_token_updated_at push_error_code bouncer_public_key encrypted_registration',
)

/**
 * A device on which a user is logged in, as the device has registered itself, and how encrypted notifications
 * reach it. The table `client_device` is owned by this file.
 */
export interface ClientDevice {
  readonly id: number
  readonly userId: number
  /** The key for its notifications, in Base64: a byte that names the cipher, and the cipher's key. */
  readonly pushKey: string | null
  /** The device's own number for the key. */
  readonly pushKeyId: number | null
  /** Id of the token that the bouncer knows; null while notifications do not reach the device. */
  readonly pushTokenId: string | null
  readonly pushTokenKind: 'fcm' | 'apns' | null
  /** Id of the token that is being registered, or whose registration has failed. */
  readonly pendingPushTokenId: string | null
  readonly pendingPushTokenKind: 'fcm' | 'apns' | null
  /** When the device last registered a token (UNIX seconds). */
  readonly pushTokenUpdatedAt: number | null
  /** Why the last registration has failed. */
  readonly pushErrorCode: string | null
  /** The bouncer's key, with which the device has encrypted the registration; null once the bouncer has answered. */
  readonly bouncerPublicKey: string | null
  readonly encryptedRegistration: string | null
}

/** The columns of a device that notifications need; the others never change. */
export type PushState = Omit<ClientDevice, 'id' | 'userId'>

/** A device that encrypted notifications reach. */
export type KeyedDevice = ClientDevice & {
  readonly [Name in 'pushKey' | 'pushKeyId' | 'pushTokenId' | 'pushTokenKind']: NonNullable<
    ClientDevice[Name]
  >
}

/** Returns a user's devices, oldest first. */
export function listClientDevices(sql: Sql, userId: number): ClientDevice[] {
  return DEVICES.list(sql, `WHERE user_id = ? ORDER BY id`, userId)
}

/** Returns those of a user's devices that encrypted notifications reach, oldest first. */
export function listKeyedDevices(sql: Sql, userId: number): KeyedDevice[] {
  return sql.all<KeyedDevice>(
    `SELECT ${DEVICES.columns} FROM client_device INDEXED BY client_device_with_token
       WHERE user_id = ? AND push_token_id IS NOT NULL ORDER BY id`,
    userId,
  )
}

/** Returns the users with a device that encrypted notifications reach, ascending. */
export function usersWithKeyedDevices(sql: Sql): number[] {
  return sql.values(
    `SELECT DISTINCT user_id FROM client_device INDEXED BY client_device_with_token
       WHERE push_token_id IS NOT NULL ORDER BY user_id`,
  )
}

export function findClientDevice(sql: Sql, id: number): ClientDevice | undefined {
  return DEVICES.find(sql, `WHERE id = ?`, id)
}

/** Inserts a device and returns its id, which no device had before. */
export function insertClientDevice(sql: WritableSql, userId: number): number {
  return sql.runForValue(`INSERT INTO client_device (user_id) VALUES (?) RETURNING id`, userId)!
}

export function putPushState(sql: WritableSql, id: number, state: PushState): void {
  // The caller may give the whole device, whose user never changes.
  DEVICES.change(sql, id, { ...state, userId: undefined })
}

/** Deletes a device of the user; false when the user has none with this id. */
export function deleteClientDevice(sql: WritableSql, userId: number, id: number): boolean {
  return sql.runForAny(`DELETE FROM client_device WHERE id = ? AND user_id = ? RETURNING id`, id, userId)
}

/** Deletes all devices of a user and returns their ids, ascending. */
export function deleteClientDevicesOf(sql: WritableSql, userId: number): number[] {
  return sql
    .runForValues(`DELETE FROM client_device WHERE user_id = ? RETURNING id`, userId)
    .sort((one, other) => one - other)
}
