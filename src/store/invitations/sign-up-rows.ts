import type { RealmView } from '../../core/realm-transaction.ts'
import type { WritableSql } from '../../core/sql.ts'

/** An address with which a user wants to join by a link, and which is confirmed by a mail. The table `sign_up` is owned by this file. */
export interface SignUp {
  /** The end of the mailed link, which nobody can guess. */
  readonly secret: string
  /** The invitation link with which it was asked for. */
  readonly linkId: number
  readonly email: string
  /** UNIX seconds. */
  readonly expiresAt: number
}

interface SignUpRow {
  secret: string
  link_id: number
  email: string
  expires_at: number
}

export function deleteExpiredSignUps(sql: WritableSql, now: number): void {
  sql.run(`DELETE FROM sign_up WHERE expires_at <= ?`, Math.floor(now))
}

/** Enters a sign-up, in place of the one with the same address and link. */
export function putSignUp(sql: WritableSql, { secret, linkId, email, expiresAt }: SignUp): void {
  sql.run(
    `INSERT INTO sign_up (address, link_id, email, secret, expires_at) VALUES (lower(?1), ?2, ?1, ?3, ?4)
     ON CONFLICT (address, link_id) DO UPDATE SET email = ?1, secret = ?3, expires_at = ?4`,
    email,
    linkId,
    secret,
    Math.floor(expiresAt),
  )
}

/** Finds the open sign-up with an address and a link. */
export function findSignUp({ sql, now }: RealmView, email: string, linkId: number): SignUp | undefined {
  return signUpOf(
    sql.first<SignUpRow>(
      `SELECT * FROM sign_up WHERE address = lower(?) AND link_id = ? AND expires_at > ?`,
      email,
      linkId,
      Math.floor(now),
    ),
  )
}

/** Finds the open sign-up behind a mailed link. */
export function findSignUpBySecret({ sql, now }: RealmView, secret: string): SignUp | undefined {
  return signUpOf(
    sql.first<SignUpRow>(
      `SELECT * FROM sign_up WHERE secret = ? AND expires_at > ?`,
      secret,
      Math.floor(now),
    ),
  )
}

export function deleteSignUpsOf(sql: WritableSql, email: string): void {
  sql.run(`DELETE FROM sign_up WHERE address = lower(?)`, email)
}

function signUpOf(row: SignUpRow | undefined): SignUp | undefined {
  return row && { secret: row.secret, linkId: row.link_id, email: row.email, expiresAt: row.expires_at }
}
