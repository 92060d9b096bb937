import { keptIds } from '../../core/kept-ids.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'

/** Somebody whom a user has muted. */
export interface MutedUser {
  readonly id: number
  /** UNIX seconds. */
  readonly timestamp: number
}

/**
 * Lists the users whom the user has muted, by id, in the form for clients
 * (docs/interface/register.md#what-the-snapshot-has).
 */
export function listMutedUsers(sql: Sql, userId: number): MutedUser[] {
  return sql.all<MutedUser & Record<string, number>>(
    `SELECT muted_user_id AS id, muted_at AS timestamp FROM muted_user WHERE user_id = ? ORDER BY muted_user_id`,
    userId,
  )
}

/** Returns the ids of those who have muted the user. */
export function usersWhoMuted(sql: Sql, mutedUserId: number): readonly number[] {
  return sql.kept(
    `who muted ${mutedUserId}`,
    () => {
      const rows = sql.all<{ user_id: number }>(
        `SELECT user_id FROM muted_user WHERE muted_user_id = ? ORDER BY user_id`,
        mutedUserId,
      )
      return keptIds(rows.map(({ user_id }) => user_id))
    },
    'channels',
  )
}

export function isMutedBy(sql: Sql, mutedUserId: number, userId: number): boolean {
  return (
    sql.first(`SELECT 1 FROM muted_user WHERE user_id = ? AND muted_user_id = ?`, userId, mutedUserId) !==
    undefined
  )
}

export function insertMutedUser(sql: WritableSql, userId: number, { id, timestamp }: MutedUser): void {
  sql.run(
    `INSERT INTO muted_user (user_id, muted_user_id, muted_at) VALUES (?, ?, ?)`,
    userId,
    id,
    Math.floor(timestamp),
  )
}

export function deleteMutedUser(sql: WritableSql, userId: number, mutedUserId: number): void {
  sql.run(`DELETE FROM muted_user WHERE user_id = ? AND muted_user_id = ?`, userId, mutedUserId)
}
