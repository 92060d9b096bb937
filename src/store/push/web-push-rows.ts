import type { Sql, WritableSql } from '../../core/sql.ts'

/**
 * Address at which a browser's push service takes notifications for it, and the keys to encrypt them (RFC
 * 8030, 8291).
 */
export interface WebPushSubscription {
  readonly id: number
  readonly endpoint: string
  /** The browser's public key and its secret, in Base64 for URLs. */
  readonly p256dh: string
  readonly auth: string
  /** Until when the browser's notifications are paused by hand (UNIX seconds); 0 for not. */
  readonly pausedUntil: number
  /** When they are paused every day: times such as `22:00`, and the IANA name of their zone. All are null, or none. */
  readonly quietFrom: string | null
  readonly quietTo: string | null
  readonly quietZone: string | null
}

/** Number of subscriptions of one account; a new one replaces the oldest. */
const WEB_PUSH_OF_ACCOUNT = 20

const COLUMNS = `id, endpoint, p256dh, auth, paused_until AS pausedUntil, quiet_from AS quietFrom,
  quiet_to AS quietTo, quiet_zone AS quietZone`

/** Enters a subscription, replacing any earlier one of the same browser, also another user's. */
export function putWebPush(
  sql: WritableSql,
  userId: number,
  sessionId: number | null,
  subscription: Omit<WebPushSubscription, 'id'>,
): void {
  const { endpoint, p256dh, auth, pausedUntil, quietFrom, quietTo, quietZone } = subscription
  sql.run(`DELETE FROM web_push_subscription WHERE endpoint = ?`, endpoint)
  sql.run(
    `DELETE FROM web_push_subscription WHERE id IN (
       SELECT id FROM web_push_subscription WHERE user_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    userId,
    WEB_PUSH_OF_ACCOUNT - 1,
  )
  sql.run(
    `INSERT INTO web_push_subscription
       (user_id, session_id, endpoint, p256dh, auth, paused_until, quiet_from, quiet_to, quiet_zone)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    userId,
    sessionId,
    endpoint,
    p256dh,
    auth,
    pausedUntil,
    quietFrom,
    quietTo,
    quietZone,
  )
}

/** Returns the user whose subscription has this endpoint; undefined without one. */
export function userOfWebPush(sql: Sql, endpoint: string): number | undefined {
  return sql.first<{ user_id: number }>(
    `SELECT user_id FROM web_push_subscription WHERE endpoint = ?`,
    endpoint,
  )?.user_id
}

export function listWebPush(sql: Sql, userId: number): WebPushSubscription[] {
  return sql.all(`SELECT ${COLUMNS} FROM web_push_subscription WHERE user_id = ? ORDER BY id`, userId)
}

/** Returns the ids of users with subscriptions, ascending. */
export function usersWithWebPush(sql: Sql): number[] {
  return sql
    .all<{ user_id: number }>(`SELECT DISTINCT user_id FROM web_push_subscription ORDER BY user_id`)
    .map(({ user_id }) => user_id)
}

/** Deletes subscriptions of the user. */
export function deleteWebPush(sql: WritableSql, userId: number, ids: readonly number[]): void {
  sql.run(
    `DELETE FROM web_push_subscription WHERE user_id = ? AND id IN (SELECT value FROM json_each(?))`,
    userId,
    JSON.stringify(ids),
  )
}

export function deleteAllWebPush(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM web_push_subscription WHERE user_id = ?`, userId)
}
