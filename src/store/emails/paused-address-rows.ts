import type { Sql, WritableSql } from '../../core/sql.ts'
import type { User } from '../users/user-rows.ts'

/** Length of a reason, in UTF-16 units. */
const MAX_REASON_LENGTH = 300

/** An address that takes no mail. The table `paused_address` is owned by this file. */
export interface PausedAddress {
  readonly address: string
  /** UNIX seconds, integer. */
  readonly since: number
  /** The words of its mail server. */
  readonly reason: string
}

/** Finds whether the account's present address is paused; null if not. */
export function findPausedAddress(
  sql: Sql,
  { id, deliveryEmail }: Pick<User, 'id' | 'deliveryEmail'>,
): PausedAddress | null {
  return (
    sql.first<{ address: string; since: number; reason: string }>(
      `SELECT address, since, reason FROM paused_address WHERE user_id = ? AND address = ?`,
      id,
      deliveryEmail,
    ) ?? null
  )
}

export function isAddressPaused(sql: Sql, user: Pick<User, 'id' | 'deliveryEmail'>): boolean {
  return findPausedAddress(sql, user) !== null
}

export function putPausedAddress(
  sql: WritableSql,
  { id, deliveryEmail }: Pick<User, 'id' | 'deliveryEmail'>,
  { since, reason }: { since: number; reason: string },
): void {
  sql.run(
    `INSERT INTO paused_address (user_id, address, since, reason) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (user_id) DO UPDATE SET address = ?2, since = ?3, reason = ?4`,
    id,
    deliveryEmail,
    Math.floor(since),
    reason.slice(0, MAX_REASON_LENGTH),
  )
}

export function deletePausedAddress(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM paused_address WHERE user_id = ?`, userId)
}
