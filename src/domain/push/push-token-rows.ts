import type { Sql } from '../../core/sql.ts'

export type PushTokenKind = 'fcm' | 'apns'

/**
 * `new`: the bouncer does not know it yet; `known`: it gets notifications; `gone`: its user took it off, and
 * the bouncer is still to be told.
 */
export type PushTokenState = 'new' | 'known' | 'gone'

/**
 * A device that gets the older, unencrypted notifications. The table `push_token` is owned by this file.
 */
export interface PushToken {
  readonly userId: number
  readonly kind: PushTokenKind
  readonly token: string
  /** Of iOS devices alone. */
  readonly appId: string | null
  readonly state: PushTokenState
}

interface PushTokenRow {
  user_id: number
  kind: string
  token: string
  app_id: string | null
  state: string
}

/** A token that is entered again, for another app or after it was taken off, is new. */
export function putPushToken(
  sql: Sql,
  userId: number,
  kind: PushTokenKind,
  token: string,
  appId: string | null,
): void {
  sql.run(
    `INSERT INTO push_token (user_id, kind, token, app_id) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (user_id, kind, token) DO UPDATE SET app_id = ?4, state = 'new'
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

/** What the bouncer is still to be told of, some of it. */
export function listUntoldTokens(sql: Sql, limit: number): PushToken[] {
  return sql.all<PushTokenRow>(`SELECT * FROM push_token WHERE state <> 'known' LIMIT ?`, limit).map(tokenOf)
}

export function hasUntoldTokens(sql: Sql): boolean {
  return sql.first(`SELECT 1 FROM push_token WHERE state <> 'known' LIMIT 1`) !== undefined
}

type TokenKey = Pick<PushToken, 'userId' | 'kind' | 'token'>

export function setPushTokenState(sql: Sql, { userId, kind, token }: TokenKey, state: PushTokenState): void {
  sql.run(
    `UPDATE push_token SET state = ?4 WHERE user_id = ?1 AND kind = ?2 AND token = ?3`,
    userId,
    kind,
    token,
    state,
  )
}

export function deletePushToken(sql: Sql, { userId, kind, token }: TokenKey): void {
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
  }
}
