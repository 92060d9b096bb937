import type { RealmView } from '../../core/realm-transaction.ts'
import type { WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

const CONFIRMATIONS = new Rows<Confirmation>('confirmation', 'secret kind user_id email new_email expires_at')

/** Purpose of a link in a mail. */
export type ConfirmationKind = 'email-change' | 'password-reset' | 'connection' | 'realm-reactivation'

/** A link that was mailed to a user who has an account. The table `confirmation` is owned by this file. */
export interface Confirmation {
  /** The end of the link, which nobody can guess. */
  readonly secret: string
  readonly kind: ConfirmationKind
  readonly userId: number
  /** The account's address when the link was sent; with another one the link is invalid. */
  readonly email: string
  /** The new address, if the link confirms one; of a connection, what is connected, as JSON. */
  readonly newEmail: string | null
  /** UNIX seconds. */
  readonly expiresAt: number
}

export function deleteExpiredConfirmations(sql: WritableSql, now: number): void {
  sql.run(`DELETE FROM confirmation WHERE expires_at <= ?`, Math.floor(now))
}

export function insertConfirmation(sql: WritableSql, confirmation: Confirmation): void {
  CONFIRMATIONS.insert(sql, confirmation)
}

/** Finds an open confirmation; undefined for one that is unknown, used, replaced or expired, without distinction. */
export function findConfirmation(
  { sql, now }: RealmView,
  kind: ConfirmationKind,
  secret: string,
): Confirmation | undefined {
  return CONFIRMATIONS.find(
    sql,
    `WHERE secret = ? AND kind = ? AND expires_at > ?`,
    secret,
    kind,
    Math.floor(now),
  )
}

export function closeConfirmations(sql: WritableSql, userId: number, kind: ConfirmationKind): void {
  sql.run(`DELETE FROM confirmation WHERE user_id = ? AND kind = ?`, userId, kind)
}

/** Closes all confirmations of one kind, for every recipient. */
export function closeConfirmationsOfKind(sql: WritableSql, kind: ConfirmationKind): void {
  sql.run(`DELETE FROM confirmation WHERE kind = ?`, kind)
}
