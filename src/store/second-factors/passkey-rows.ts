import { fromJson, type JsonText, jsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'

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

interface PasskeyRow {
  id: number
  user_id: number
  credential_id: string
  public_key: string
  counter: number
  transports: JsonText<readonly string[]>
  is_backed_up: number
  is_verified: number
  name: string
  made_at: number
  used_at: number | null
}

/** Lists the passkeys of an account, oldest first. */
export function listPasskeys(sql: Sql, userId: number): Passkey[] {
  return sql.all<PasskeyRow>(`SELECT * FROM passkey WHERE user_id = ? ORDER BY id`, userId).map(passkeyOf)
}

export function hasPasskey(sql: Sql, userId: number): boolean {
  return sql.first(`SELECT 1 FROM passkey WHERE user_id = ? LIMIT 1`, userId) !== undefined
}

export function hasAnybodyPasskey(sql: Sql): boolean {
  return sql.first(`SELECT 1 FROM passkey LIMIT 1`) !== undefined
}

/** Lists the accounts that have a passkey. */
export function listUsersWithPasskey(sql: Sql): number[] {
  return sql.all<{ id: number }>(`SELECT DISTINCT user_id AS id FROM passkey`).map(({ id }) => id)
}

export function findPasskey(sql: Sql, credentialId: string): Passkey | undefined {
  const row = sql.first<PasskeyRow>(`SELECT * FROM passkey WHERE credential_id = ?`, credentialId)
  return row && passkeyOf(row)
}

/** Inserts a passkey and returns its id. */
export function insertPasskey(
  sql: WritableSql,
  passkey: Omit<Passkey, 'id' | 'madeAt' | 'usedAt'>,
  now: number,
): number {
  return sql.runForFirst<{ id: number }>(
    `INSERT INTO passkey (user_id, credential_id, public_key, counter, transports, is_backed_up, is_verified, name, made_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    passkey.userId,
    passkey.credentialId,
    passkey.publicKey,
    passkey.counter,
    jsonText(passkey.transports),
    passkey.isBackedUp ? 1 : 0,
    passkey.isVerified ? 1 : 0,
    passkey.name,
    Math.floor(now),
  )!.id
}

/** Notes a use of a passkey, with its own count of them. */
export function notePasskeyUse(
  sql: WritableSql,
  id: number,
  { counter, isBackedUp, isVerified }: Pick<Passkey, 'counter' | 'isBackedUp' | 'isVerified'>,
  now: number,
): void {
  sql.run(
    `UPDATE passkey SET counter = ?, is_backed_up = ?, is_verified = ?, used_at = ? WHERE id = ?`,
    counter,
    isBackedUp ? 1 : 0,
    isVerified ? 1 : 0,
    Math.floor(now),
    id,
  )
}

/** Renames a passkey of the account; false when it has none with this id. */
export function renamePasskey(sql: WritableSql, userId: number, id: number, name: string): boolean {
  const renamed = sql.runForFirst(
    `UPDATE passkey SET name = ? WHERE id = ? AND user_id = ? RETURNING id`,
    name,
    id,
    userId,
  )
  return renamed !== undefined
}

/** Deletes a passkey of the account; false when it has none with this id. */
export function deletePasskey(sql: WritableSql, userId: number, id: number): boolean {
  const deleted = sql.runForFirst(`DELETE FROM passkey WHERE id = ? AND user_id = ? RETURNING id`, id, userId)
  return deleted !== undefined
}

export function deletePasskeysOf(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM passkey WHERE user_id = ?`, userId)
}

function passkeyOf(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    userId: row.user_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: fromJson(row.transports),
    isBackedUp: row.is_backed_up === 1,
    isVerified: row.is_verified === 1,
    name: row.name,
    madeAt: row.made_at,
    usedAt: row.used_at,
  }
}
