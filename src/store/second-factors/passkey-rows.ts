import { exists, returnsRow, type Sql, valuesOf, type WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

/** A key that a device or a password manager keeps for an account. The table `passkey` is owned by this file. */
export interface Passkey {
  readonly id: number
  readonly userId: number
  /** The authenticator's own id of it, in base64url. */
  readonly credentialId: string
  /** COSE, in base64url. */
  readonly publicKey: string
  /** How often it was used, by its own count; 0 where it does not count. */
  readonly counter: number
  /** How browsers reach it (`internal`, `usb`, …). */
  readonly transports: readonly string[]
  /** Whether it is kept in more places than one device. */
  readonly isBackedUp: boolean
  /** Whether it has checked at its last use that it is its owner, by a finger, a face or a PIN. Without that it is no log-in alone. */
  readonly isVerified: boolean
  readonly name: string
  /** UNIX seconds. */
  readonly madeAt: number
  /** UNIX seconds; null before its first use. */
  readonly usedAt: number | null
}

const PASSKEYS = new Rows<Passkey>(
  'id user_id credential_id public_key counter transports:json is_backed_up:flag is_verified:flag name made_at used_at',
)

/** Lists the passkeys of an account, oldest first. */
export function listPasskeys(sql: Sql, userId: number): Passkey[] {
  return PASSKEYS.all(sql, `SELECT ${PASSKEYS.columns} FROM passkey WHERE user_id = ? ORDER BY id`, userId)
}

export function hasPasskey(sql: Sql, userId: number): boolean {
  return exists(sql, `SELECT 1 FROM passkey WHERE user_id = ? LIMIT 1`, userId)
}

export function hasAnybodyPasskey(sql: Sql): boolean {
  return exists(sql, `SELECT 1 FROM passkey LIMIT 1`)
}

/** Lists the accounts that have a passkey. */
export function listUsersWithPasskey(sql: Sql): number[] {
  return valuesOf(sql, `SELECT DISTINCT user_id AS id FROM passkey`)
}

export function findPasskey(sql: Sql, credentialId: string): Passkey | undefined {
  return PASSKEYS.first(sql, `SELECT ${PASSKEYS.columns} FROM passkey WHERE credential_id = ?`, credentialId)
}

/** Inserts a passkey and returns its id. */
export function insertPasskey(
  sql: WritableSql,
  passkey: Omit<Passkey, 'id' | 'madeAt' | 'usedAt'>,
  now: number,
): number {
  return PASSKEYS.insertNew(sql, 'passkey', { ...passkey, madeAt: Math.floor(now) })
}

/** Notes a use of a passkey, with its own count of them. */
export function notePasskeyUse(
  sql: WritableSql,
  id: number,
  use: Pick<Passkey, 'counter' | 'isBackedUp' | 'isVerified'>,
  now: number,
): void {
  PASSKEYS.change(sql, 'passkey', id, { ...use, usedAt: Math.floor(now) })
}

/** Renames a passkey of the account; false when it has none with this id. */
export function renamePasskey(sql: WritableSql, userId: number, id: number, name: string): boolean {
  return returnsRow(
    sql,
    `UPDATE passkey SET name = ? WHERE id = ? AND user_id = ? RETURNING id`,
    name,
    id,
    userId,
  )
}

/** Deletes a passkey of the account; false when it has none with this id. */
export function deletePasskey(sql: WritableSql, userId: number, id: number): boolean {
  return returnsRow(sql, `DELETE FROM passkey WHERE id = ? AND user_id = ? RETURNING id`, id, userId)
}

export function deletePasskeysOf(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM passkey WHERE user_id = ?`, userId)
}
