import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

/** The authenticator app of an account, which makes codes from a secret. The table `totp` is owned by this file. */
interface Totp {
  /** Sealed: only the Worker can open it (core/sealed-secret.ts). */
  readonly secret: string
  /** Whether its owner has entered one of its codes; before that no log-in asks for one. */
  readonly isConfirmed: boolean
  /** The newest step whose code was used: each is good once. */
  readonly lastStep: number
  /** UNIX seconds. */
  readonly madeAt: number
}

const TOTP = new Rows<Totp>('totp', 'secret is_confirmed:flag last_step made_at')

export function findTotp(sql: Sql, userId: number): Totp | undefined {
  return TOTP.find(sql, `WHERE user_id = ?`, userId)
}

export function hasAnybodyTotp(sql: Sql): boolean {
  return sql.finds(`SELECT 1 FROM totp WHERE is_confirmed = 1 LIMIT 1`)
}

/** Lists the accounts that have an app. */
export function listUsersWithTotp(sql: Sql): number[] {
  return sql.values(`SELECT user_id AS id FROM totp WHERE is_confirmed = 1`)
}

/** Stores a new secret, which is not confirmed yet, in place of the account's earlier one. */
export function putTotp(sql: WritableSql, userId: number, secret: string, now: number): void {
  sql.run(
    `INSERT OR REPLACE INTO totp (user_id, secret, is_confirmed, last_step, made_at) VALUES (?, ?, 0, 0, ?)`,
    userId,
    secret,
    Math.floor(now),
  )
}

/** Notes that the code of a step was used, and with it that the app has the secret. */
export function useStepOfTotp(sql: WritableSql, userId: number, step: number): void {
  sql.run(`UPDATE totp SET is_confirmed = 1, last_step = ? WHERE user_id = ?`, step, userId)
}

/** Deletes the account's app; false when it has none. */
export function deleteTotp(sql: WritableSql, userId: number): boolean {
  return sql.runForAny(`DELETE FROM totp WHERE user_id = ? RETURNING user_id`, userId)
}

/** Codes for users who have lost their phone, each good once. The table `recovery_code` is owned by this file. */

export function countRecoveryCodes(sql: Sql, userId: number): number {
  return sql.value(`SELECT count(*) AS count FROM recovery_code WHERE user_id = ?`, userId)!
}

/** Stores the digests of new codes in place of the account's earlier ones. */
export function replaceRecoveryCodes(sql: WritableSql, userId: number, digests: readonly string[]): void {
  deleteRecoveryCodes(sql, userId)
  for (const digest of digests) {
    sql.run(`INSERT INTO recovery_code (user_id, digest) VALUES (?, ?)`, userId, digest)
  }
}

/** Uses up a code; false when the account has none with this digest. */
export function useRecoveryCode(sql: WritableSql, userId: number, digest: string): boolean {
  return sql.runForAny(
    `DELETE FROM recovery_code WHERE user_id = ? AND digest = ? RETURNING user_id`,
    userId,
    digest,
  )
}

export function deleteRecoveryCodes(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM recovery_code WHERE user_id = ?`, userId)
}

/** Rows that one new row clears away. */
const SWEPT = 20

/**
 * Notes that a challenge was answered, and clears away those that nobody could answer any more. False when it was answered before. The table
 * `spent_challenge` is owned by this file.
 */
export function spendChallenge(
  sql: WritableSql,
  { nonce, useBefore }: { readonly nonce: string; readonly useBefore: number },
  now: number,
): boolean {
  sql.run(
    `DELETE FROM spent_challenge WHERE nonce IN (
       SELECT nonce FROM spent_challenge WHERE use_before <= ? ORDER BY use_before LIMIT ?)`,
    Math.floor(now),
    SWEPT,
  )
  return sql.runForAny(
    `INSERT INTO spent_challenge (nonce, use_before) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING nonce`,
    nonce,
    useBefore,
  )
}

/** A key that a device or a password manager keeps for an account. The table `passkey` is owned by this file. */
export interface Passkey {
  readonly id: number
  readonly userId: number
  /** The authenticator's own id for it, in base64url. */
  readonly credentialId: string
  /** COSE, in base64url. */
  readonly publicKey: string
  /** Number of uses, by its own count; 0 if it does not count. */
  readonly counter: number
  /** How browsers reach it (`internal`, `usb`, …). */
  readonly transports: readonly string[]
  /** Whether it is kept in more places than one device. */
  readonly isBackedUp: boolean
  /** Whether it verified its owner at its last use, by a finger, a face or a PIN. Without that it does not suffice for a log-in. */
  readonly isVerified: boolean
  readonly name: string
  /** UNIX seconds. */
  readonly madeAt: number
  /** UNIX seconds; null before its first use. */
  readonly usedAt: number | null
}

const PASSKEYS = new Rows<Passkey>(
  'passkey',
  'id user_id credential_id public_key counter transports:json is_backed_up:flag is_verified:flag name made_at used_at',
)

/** Lists the passkeys of an account, oldest first. */
export function listPasskeys(sql: Sql, userId: number): Passkey[] {
  return PASSKEYS.list(sql, `WHERE user_id = ? ORDER BY id`, userId)
}

export function hasPasskey(sql: Sql, userId: number): boolean {
  return sql.finds(`SELECT 1 FROM passkey WHERE user_id = ? LIMIT 1`, userId)
}

export function hasAnybodyPasskey(sql: Sql): boolean {
  return sql.finds(`SELECT 1 FROM passkey LIMIT 1`)
}

export function listUsersWithPasskey(sql: Sql): number[] {
  return sql.values(`SELECT DISTINCT user_id AS id FROM passkey`)
}

export function findPasskey(sql: Sql, credentialId: string): Passkey | undefined {
  return PASSKEYS.find(sql, `WHERE credential_id = ?`, credentialId)
}

export function insertPasskey(
  sql: WritableSql,
  passkey: Omit<Passkey, 'id' | 'madeAt' | 'usedAt'>,
  now: number,
): number {
  return PASSKEYS.insertNew(sql, { ...passkey, madeAt: Math.floor(now) })
}

/** Notes a use of a passkey, with its own count of them. */
export function notePasskeyUse(
  sql: WritableSql,
  id: number,
  use: Pick<Passkey, 'counter' | 'isBackedUp' | 'isVerified'>,
  now: number,
): void {
  PASSKEYS.change(sql, id, { ...use, usedAt: Math.floor(now) })
}

/** Renames a passkey of the account; false when it has none with this id. */
export function renamePasskey(sql: WritableSql, userId: number, id: number, name: string): boolean {
  return sql.runForAny(
    `UPDATE passkey SET name = ? WHERE id = ? AND user_id = ? RETURNING id`,
    name,
    id,
    userId,
  )
}

/** Deletes a passkey of the account; false when it has none with this id. */
export function deletePasskey(sql: WritableSql, userId: number, id: number): boolean {
  return sql.runForAny(`DELETE FROM passkey WHERE id = ? AND user_id = ? RETURNING id`, id, userId)
}

export function deletePasskeysOf(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM passkey WHERE user_id = ?`, userId)
}
