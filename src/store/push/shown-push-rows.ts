import type { Sql, WritableSql } from '../../core/sql.ts'
import type { NotificationCause } from '../notifications/causes.ts'
import { Rows } from '../select-rows.ts'

/** A notification that a user's devices show. */
export interface ShownPush {
  readonly messageId: number
  readonly cause: NotificationCause
}

/** All notifications that a user's devices show, oldest first. The table `push_shown` is owned by this file. */
export interface ShownPushes {
  readonly userId: number
  readonly shown: readonly ShownPush[]
  /** Address of the organization at the last of them. */
  readonly origin: string
  /** Number of failed tries to remove something. */
  readonly attempts: number
}

type ShownPushesRow = Omit<ShownPushes, 'shown'> & { readonly entries: readonly PackedShownPush[] }

const SHOWN = new Rows<ShownPushesRow>('push_shown', 'user_id entries:json origin attempts')

/**
 * Number of notifications that are kept for one user. For someone who never reads, the oldest are forgotten:
 * they stay on the device until it is used.
 */
const MAX_KEPT = 500

/** A notification in JSON. */
export type PackedShownPush = [messageId: number, cause: NotificationCause]

export function findShownPushes(sql: Sql, userId: number): ShownPushes | undefined {
  return shownOf(SHOWN.find(sql, `WHERE user_id = ?`, userId))
}

export function addShownPush(sql: WritableSql, userId: number, push: ShownPush, origin: string): void {
  const before = findShownPushes(sql, userId)?.shown ?? []
  if (before.some(({ messageId }) => messageId === push.messageId)) return
  sql.run(
    `INSERT INTO push_shown (user_id, entries, origin) VALUES (?1, ?2, ?3)
     ON CONFLICT (user_id) DO UPDATE SET entries = ?2, origin = ?3`,
    userId,
    packShown([...before, push].slice(-MAX_KEPT)),
    origin,
  )
}

/** Enters notifications again that may have to be removed, besides those that are known. */
export function addStalePushes(
  sql: WritableSql,
  userId: number,
  pushes: readonly ShownPush[],
  origin: string,
): void {
  const before = findShownPushes(sql, userId)?.shown ?? []
  const known = new Set(before.map(({ messageId }) => messageId))
  sql.run(
    `INSERT INTO push_shown (user_id, entries, origin, is_stale) VALUES (?1, ?2, ?3, 1)
     ON CONFLICT (user_id) DO UPDATE SET entries = ?2, is_stale = 1, due_at = 0, attempts = 0`,
    userId,
    packShown([...pushes.filter(({ messageId }) => !known.has(messageId)), ...before].slice(-MAX_KEPT)),
    origin,
  )
}

/** Stores the notifications that are left; the row is deleted with the last. `isStale`: some of them may have to be removed too. */
export function keepShownPushes(
  sql: WritableSql,
  userId: number,
  shown: readonly ShownPush[],
  isStale: boolean,
): void {
  if (shown.length === 0) {
    deleteShownPushes(sql, userId)
    return
  }
  sql.run(
    `UPDATE push_shown SET entries = ?, is_stale = ?, due_at = 0, attempts = 0 WHERE user_id = ?`,
    packShown(shown),
    Number(isStale),
    userId,
  )
}

export function deleteShownPushes(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM push_shown WHERE user_id = ?`, userId)
}

/** Marks a user's notifications as stale; true when any are shown that must now be checked. */
export function markShownStale(sql: WritableSql, userId: number): boolean {
  return sql.run(`UPDATE push_shown SET is_stale = 1 WHERE user_id = ? AND is_stale = 0`, userId) > 0
}

/** Number of messages up to which each is compared. If there are more, notifications of the messages between them are checked too. */
const COMPARED = 1_000

/** Marks notifications as `markShownStale` does, for everybody whose devices show one of the messages (ascending). */
export function markMessagesStale(sql: WritableSql, messageIds: readonly number[]): boolean {
  const [condition, ...params] =
    messageIds.length > COMPARED
      ? ['BETWEEN ? AND ?', messageIds[0]!, messageIds.at(-1)!]
      : ['IN (SELECT value FROM json_each(?))', JSON.stringify(messageIds)]
  const written = sql.run(
    `UPDATE push_shown SET is_stale = 1 WHERE is_stale = 0 AND EXISTS (
       SELECT 1 FROM json_each(push_shown.entries) e WHERE e.value ->> 0 ${condition})`,
    ...params,
  )
  return written > 0
}

/** Begins to check the notifications of a user. Until that is finished it is due again at `until`. Times in UNIX seconds. */
export function leaseStalePushes(sql: WritableSql, now: number, until: number): ShownPushes | undefined {
  const row = SHOWN.returned(
    sql,
    `UPDATE push_shown SET due_at = ?2, attempts = attempts + 1
     WHERE user_id = (
       SELECT user_id FROM push_shown WHERE is_stale <> 0 AND due_at <= ?1 ORDER BY attempts > 0, due_at LIMIT 1
     ) RETURNING ${SHOWN.columns}`,
    Math.floor(now),
    Math.ceil(until),
  )
  return shownOf(row)
}

export function retryStalePushesLater(sql: WritableSql, userId: number, dueAt: number): void {
  sql.run(`UPDATE push_shown SET due_at = ? WHERE user_id = ?`, Math.ceil(dueAt), userId)
}

/** Returns the time at which notifications are next to be checked (UNIX seconds); undefined without any. */
export function nextStalePushesAt(sql: Sql): number | undefined {
  return sql.value(`SELECT MIN(due_at) AS due_at FROM push_shown WHERE is_stale <> 0`)
}

export function packShown(shown: readonly ShownPush[]): string {
  return JSON.stringify(shown.map(({ messageId, cause }): PackedShownPush => [messageId, cause]))
}

export function unpackShown(packed: readonly PackedShownPush[]): ShownPush[] {
  return packed.map(([messageId, cause]) => ({ messageId, cause }))
}

function shownOf(row: ShownPushesRow | undefined): ShownPushes | undefined {
  if (!row) return undefined
  const { entries, ...others } = row
  return { ...others, shown: unpackShown(entries) }
}
