import type { Sql, WritableSql } from '../../core/sql.ts'

export type PushTokenKind = 'fcm' | 'apns'

/**
 * `new`: the bouncer does not know it yet; `known`: it gets notifications; `gone`: its user took it off, and
 * the bouncer still has to hear of it.
 */
export type PushTokenState = 'new' | 'known' | 'gone'

/**
 * A device that gets the older, unencrypted notifications. The table `push_token` is owned by this file.
 */
export interface PushToken {
  readonly userId: number
  readonly kind: PushTokenKind
  readonly token: string
  /** The id of the app, of iOS devices alone. */
  readonly appId: string | null
  readonly state: PushTokenState
  /** How often the bouncer was asked in vain. */
  readonly attempts: number
}

interface PushTokenRow {
  user_id: number
  kind: string
  token: string
  app_id: string | null
  state: string
  attempts: number
}

/** A token that is entered again, for another app or after it was taken off, is new. */
export function putPushToken(
  sql: WritableSql,
  userId: number,
  kind: PushTokenKind,
  token: string,
  appId: string | null,
): void {
  sql.run(
    `INSERT INTO push_token (user_id, kind, token, app_id) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (user_id, kind, token) DO UPDATE SET app_id = ?4, state = 'new', due_at = 0, attempts = 0
       WHERE app_id IS NOT ?4 OR state = 'gone'`,
    userId,
    kind,
    token,
    appId,
  )
}

/** The user's tokens, without those that were taken off. */
export function listPushTokens(sql: Sql, userId: number): PushToken[] {
  return sql
    .all<PushTokenRow>(
      `SELECT * FROM push_token WHERE user_id = ? AND state <> 'gone' ORDER BY kind, token`,
      userId,
    )
    .map(tokenOf)
}

/** Users who have a device that the bouncer knows, ascending. */
export function usersWithKnownTokens(sql: Sql): number[] {
  return sql
    .all<{ user_id: number }>(
      `SELECT DISTINCT user_id FROM push_token WHERE state = 'known' ORDER BY user_id`,
    )
    .map(({ user_id }) => user_id)
}

/**
 * Begins the registration of a token with the bouncer: until it is finished it is due again at `until`. Times in UNIX
 * seconds.
 */
export function leasePendingToken(sql: WritableSql, now: number, until: number): PushToken | undefined {
  const row = sql.runForFirst<PushTokenRow>(
    `UPDATE push_token SET due_at = ?2, attempts = attempts + 1
     WHERE (user_id, kind, token) = (
       SELECT user_id, kind, token FROM push_token
       WHERE state <> 'known' AND due_at <= ?1 ORDER BY attempts > 0, due_at LIMIT 1
     ) RETURNING *`,
    Math.floor(now),
    Math.ceil(until),
  )
  return row && tokenOf(row)
}

export function retryPushTokenLater(
  sql: WritableSql,
  { userId, kind, token }: TokenKey,
  dueAt: number,
): void {
  sql.run(
    `UPDATE push_token SET due_at = ?4 WHERE user_id = ?1 AND kind = ?2 AND token = ?3 AND due_at > 0`,
    userId,
    kind,
    token,
    Math.ceil(dueAt),
  )
}

/** The time at which the bouncer is next to be notified of a token (UNIX seconds); undefined when there is none. */
export function nextPendingTokenAt(sql: Sql): number | undefined {
  return (
    sql.first<{ due_at: number | null }>(
      `SELECT MIN(due_at) AS due_at FROM push_token WHERE state <> 'known'`,
    )?.due_at ?? undefined
  )
}

export function hasPendingTokens(sql: Sql): boolean {
  return sql.first(`SELECT 1 FROM push_token WHERE state <> 'known' LIMIT 1`) !== undefined
}

type TokenKey = Pick<PushToken, 'userId' | 'kind' | 'token'>

export function setPushTokenState(
  sql: WritableSql,
  { userId, kind, token }: TokenKey,
  state: PushTokenState,
): void {
  sql.run(
    `UPDATE push_token SET state = ?4, due_at = 0, attempts = 0 WHERE user_id = ?1 AND kind = ?2 AND token = ?3`,
    userId,
    kind,
    token,
    state,
  )
}

export function deletePushToken(sql: WritableSql, { userId, kind, token }: TokenKey): void {
  sql.run(`DELETE FROM push_token WHERE user_id = ? AND kind = ? AND token = ?`, userId, kind, token)
}

export function findPushToken(sql: Sql, { userId, kind, token }: TokenKey): PushToken | undefined {
  const row = sql.first<PushTokenRow>(
    `SELECT * FROM push_token WHERE user_id = ? AND kind = ? AND token = ?`,
    userId,
    kind,
    token,
  )
  return row && tokenOf(row)
}

function tokenOf(row: PushTokenRow): PushToken {
  return {
    userId: row.user_id,
    kind: row.kind === 'apns' ? 'apns' : 'fcm',
    token: row.token,
    appId: row.app_id,
    state: row.state as PushTokenState,
    attempts: row.attempts,
  }
}
