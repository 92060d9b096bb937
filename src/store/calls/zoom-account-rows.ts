import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

const ACCOUNTS = new Rows<ZoomAccount>('zoom_account', 'tokens expires_at renewed_until zoom_id')

/** An account's access to Zoom. The table `zoom_account` is owned by this file. */
export interface ZoomAccount {
  /** Sealed: only the Worker can open them (core/sealed-secret.ts). No two are equal, so they also name this state of the row. */
  readonly tokens: string
  /** UNIX seconds. */
  readonly expiresAt: number
  /** UNIX seconds until which a request is exchanging the tokens for others. */
  readonly renewedUntil: number
  /** Zoom's own id of the user; null until it is known. */
  readonly zoomId: string | null
}

type NewTokens = Pick<ZoomAccount, 'tokens' | 'expiresAt'>

export function findZoomAccount(sql: Sql, userId: number): ZoomAccount | undefined {
  return ACCOUNTS.find(sql, `WHERE user_id = ?`, userId)
}

export function hasZoomAccount(sql: Sql, userId: number): boolean {
  return sql.finds(`SELECT 1 FROM zoom_account WHERE user_id = ?`, userId)
}

/** Stores the tokens of a log-in at Zoom, in the place of the account's earlier ones. */
export function putZoomAccount(sql: WritableSql, userId: number, { tokens, expiresAt }: NewTokens): void {
  ACCOUNTS.replace(sql, { tokens, expiresAt }, { user_id: userId })
}

/** Notes until when a request is exchanging the account's tokens; 0: none is. */
export function noteRenewal(sql: WritableSql, userId: number, until: number): void {
  sql.run(`UPDATE zoom_account SET renewed_until = ? WHERE user_id = ?`, until, userId)
}

/** Stores the tokens for which the account's earlier ones were exchanged. */
export function renewZoomAccount(sql: WritableSql, userId: number, { tokens, expiresAt }: NewTokens): void {
  sql.run(
    `UPDATE zoom_account SET tokens = ?, expires_at = ?, renewed_until = 0 WHERE user_id = ?`,
    tokens,
    expiresAt,
    userId,
  )
}

export function noteZoomId(sql: WritableSql, userId: number, zoomId: string): void {
  sql.run(`UPDATE zoom_account SET zoom_id = ? WHERE user_id = ?`, zoomId, userId)
}

/** Deletes the account's tokens; false when it has none. */
export function deleteZoomAccount(sql: WritableSql, userId: number): boolean {
  return sql.runForAny(`DELETE FROM zoom_account WHERE user_id = ? RETURNING user_id`, userId)
}

export function listAccountsOfZoomUser(sql: Sql, zoomId: string, limit: number): number[] {
  return sql.values(`SELECT user_id AS id FROM zoom_account WHERE zoom_id = ? LIMIT ?`, zoomId, limit)
}
