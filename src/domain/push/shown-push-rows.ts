import type { Sql } from '../../core/sql.ts'
import type { PushCause } from './push-cause.ts'

/** A notification that a user's devices show. */
export interface ShownPush {
  readonly messageId: number
  readonly cause: PushCause
}

/** All that a user's devices show, oldest first. The table `push_shown` is owned by this file. */
export interface ShownPushes {
  readonly userId: number
  readonly shown: readonly ShownPush[]
  /** Of the last of them. */
  readonly origin: string
}

interface ShownPushesRow {
  user_id: number
  entries: string
  origin: string
}

/** Of those who never read anything the oldest are forgotten: they stay on the device until it is used. */
const MOST_KEPT = 500

type PackedPush = [messageId: number, cause: PushCause]

export function findShownPushes(sql: Sql, userId: number): ShownPushes | undefined {
  const row = sql.first<ShownPushesRow>(
    `SELECT user_id, entries, origin FROM push_shown WHERE user_id = ?`,
    userId,
  )
  return row && shownOf(row)
}

export function addShownPush(sql: Sql, userId: number, push: ShownPush, origin: string): void {
  const before = findShownPushes(sql, userId)?.shown ?? []
  if (before.some(({ messageId }) => messageId === push.messageId)) return
  sql.run(
    `INSERT INTO push_shown (user_id, entries, origin) VALUES (?1, ?2, ?3)
     ON CONFLICT (user_id) DO UPDATE SET entries = ?2, origin = ?3`,
    userId,
    pack([...before, push].slice(-MOST_KEPT)),
    origin,
  )
}

/** What is left; the row goes with the last of it. `isStale`: some of it may be gone by now, too. */
export function keepShownPushes(
  sql: Sql,
  userId: number,
  shown: readonly ShownPush[],
  isStale: boolean,
): void {
  if (shown.length === 0) {
    deleteShownPushes(sql, userId)
    return
  }
  sql.run(
    `UPDATE push_shown SET entries = ?, is_stale = ? WHERE user_id = ?`,
    pack(shown),
    Number(isStale),
    userId,
  )
}

export function deleteShownPushes(sql: Sql, userId: number): void {
  sql.run(`DELETE FROM push_shown WHERE user_id = ?`, userId)
}

/** True when anything is shown to the user that is now to be looked at again. */
export function markShownStale(sql: Sql, userId: number): boolean {
  return (
    sql.all(`UPDATE push_shown SET is_stale = 1 WHERE user_id = ? AND is_stale = 0 RETURNING user_id`, userId)
      .length > 0
  )
}

/** As `markShownStale`, for everybody who is shown one of the messages. */
export function markMessagesStale(sql: Sql, messageIds: readonly number[]): boolean {
  return (
    sql.all(
      `UPDATE push_shown SET is_stale = 1
       WHERE is_stale = 0 AND EXISTS (
         SELECT 1 FROM json_each(push_shown.entries) e
         WHERE e.value ->> 0 IN (SELECT value FROM json_each(?)))
       RETURNING user_id`,
      JSON.stringify(messageIds),
    ).length > 0
  )
}

/** Of one user whose shown notifications are to be looked at again. */
export function nextStalePushes(sql: Sql): ShownPushes | undefined {
  const row = sql.first<ShownPushesRow>(
    `SELECT user_id, entries, origin FROM push_shown WHERE is_stale <> 0 LIMIT 1`,
  )
  return row && shownOf(row)
}

function pack(shown: readonly ShownPush[]): string {
  return JSON.stringify(shown.map(({ messageId, cause }): PackedPush => [messageId, cause]))
}

function shownOf(row: ShownPushesRow): ShownPushes {
  return {
    userId: row.user_id,
    shown: (JSON.parse(row.entries) as PackedPush[]).map(([messageId, cause]) => ({ messageId, cause })),
    origin: row.origin,
  }
}
