import type { Sql, WritableSql } from '../../core/sql.ts'

/** A user whom another user has muted. */
export interface MutedUser {
  readonly id: number
  /** UNIX seconds. */
  readonly timestamp: number
}

/** Lists the users whom the user has muted, by id, in the form for clients (docs/interface/register.md#what-the-snapshot-has). */
export function listMutedUsers(sql: Sql, userId: number): MutedUser[] {
  return sql.all<MutedUser & Record<string, number>>(
    `SELECT muted_user_id AS id, muted_at AS timestamp FROM muted_user WHERE user_id = ? ORDER BY muted_user_id`,
    userId,
  )
}

/** Returns the ids of those who have muted the user. */
export function usersWhoMuted(sql: Sql, mutedUserId: number): readonly number[] {
  return sql.kept(`who muted ${mutedUserId}`, () => {
    return sql.values(`SELECT user_id FROM muted_user WHERE muted_user_id = ? ORDER BY user_id`, mutedUserId)
  })
}

export function isMutedBy(sql: Sql, mutedUserId: number, userId: number): boolean {
  return sql.finds(`SELECT 1 FROM muted_user WHERE user_id = ? AND muted_user_id = ?`, userId, mutedUserId)
}

/** Returns the ids of those who had muted the user when this message was sent, who may have ended it since. */
export function usersWhoHadMuted(sql: Sql, mutedUserId: number, messageId: number): Set<number> {
  const ids = sql.list(
    `SELECT json_group_array(user_id) AS ids FROM (
       SELECT user_id FROM muted_user WHERE muted_user_id = ?1 AND since_message_id < ?2
       UNION ALL
       SELECT user_id FROM ended_mute
         WHERE muted_user_id = ?1 AND since_message_id < ?2 AND until_message_id >= ?2
     )`,
    mutedUserId,
    messageId,
  )
  return new Set(ids)
}

/** The messages above one id and up to another. */
interface MutePeriod {
  since: number
  until: number
}

/** Returns a function that says whether the user had muted someone when a message was sent: one query for each of these. */
export function muteReader(sql: Sql, userId: number): (mutedUserId: number, messageId: number) => boolean {
  const known = new Map<number, readonly MutePeriod[]>()
  const periodsOf = (mutedUserId: number) =>
    sql.all<MutePeriod & Record<string, number>>(
      `SELECT since_message_id AS since, ?3 AS until FROM muted_user WHERE user_id = ?1 AND muted_user_id = ?2
       UNION ALL
       SELECT since_message_id, until_message_id FROM ended_mute WHERE user_id = ?1 AND muted_user_id = ?2`,
      userId,
      mutedUserId,
      Number.MAX_SAFE_INTEGER,
    )
  return (mutedUserId, messageId) => {
    const periods = known.get(mutedUserId) ?? periodsOf(mutedUserId)
    known.set(mutedUserId, periods)
    return periods.some(({ since, until }) => messageId > since && messageId <= until)
  }
}

/** `newestMessageId`: later messages of this person arrive read. */
export function insertMutedUser(
  sql: WritableSql,
  userId: number,
  { id, timestamp }: MutedUser,
  newestMessageId: number,
): void {
  sql.run(
    `INSERT INTO muted_user (user_id, muted_user_id, muted_at, since_message_id) VALUES (?, ?, ?, ?)`,
    userId,
    id,
    Math.floor(timestamp),
    newestMessageId,
  )
}

/**
 * `newestMessageId`: what was sent up to it stays read. Up to `readFloor` the user's own set says what is read
 * (messages/flags/read-rows.ts), so that earlier periods are no longer needed.
 */
export function deleteMutedUser(
  sql: WritableSql,
  userId: number,
  mutedUserId: number,
  { newestMessageId, readFloor }: { readonly newestMessageId: number; readonly readFloor: number },
): void {
  sql.run(`DELETE FROM ended_mute WHERE user_id = ? AND until_message_id <= ?`, userId, readFloor)
  sql.run(
    `INSERT INTO ended_mute (user_id, muted_user_id, since_message_id, until_message_id)
     SELECT user_id, muted_user_id, since_message_id, ?3 FROM muted_user
     WHERE user_id = ?1 AND muted_user_id = ?2 AND since_message_id < ?3 AND ?3 > ?4`,
    userId,
    mutedUserId,
    newestMessageId,
    readFloor,
  )
  sql.run(`DELETE FROM muted_user WHERE user_id = ? AND muted_user_id = ?`, userId, mutedUserId)
}
