import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

const TOKENS = new Rows<PushToken>('push_token', 'user_id kind token app_id state attempts')

export type PushTokenKind = 'fcm' | 'apns'

/**
 * State of a token. `new`: the bouncer does not know it yet; `known`: it gets notifications; `gone`: its user
 * has removed it, and the bouncer must still be notified of that.
 */
export type PushTokenState = 'new' | 'known' | 'gone'

/** A device that gets the older, unencrypted notifications. The table `push_token` is owned by this file. */
export interface PushToken {
  readonly userId: number
  readonly kind: PushTokenKind
  readonly token: string
  /** Id of the app, only for iOS devices. */
  readonly appId: string | null
  readonly state: PushTokenState
  /** Number of failed requests to the bouncer. */
  readonly attempts: number
}

/** Enters a token. It counts as new also if it is entered again, for another app or after it was removed. */
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

/** Lists the user's tokens, without removed ones. */
export function listPushTokens(sql: Sql, userId: number): PushToken[] {
  return TOKENS.list(sql, `WHERE user_id = ? AND state <> 'gone' ORDER BY kind, token`, userId)
}

/** Returns the users with a device that the bouncer knows, ascending. */
export function usersWithKnownTokens(sql: Sql): number[] {
  return sql.values(`SELECT DISTINCT user_id FROM push_token WHERE state = 'known' ORDER BY user_id`)
}

/** Begins the registration of a token with the bouncer. Until it is finished it is due again at `until`. Times in UNIX seconds. */
export function leasePendingToken(sql: WritableSql, now: number, until: number): PushToken | undefined {
  return TOKENS.returned(
    sql,
    `UPDATE push_token SET due_at = ?2, attempts = attempts + 1
     WHERE (user_id, kind, token) = (
       SELECT user_id, kind, token FROM push_token
       WHERE state <> 'known' AND due_at <= ?1 ORDER BY attempts > 0, due_at LIMIT 1
     ) RETURNING ${TOKENS.columns}`,
    Math.floor(now),
    Math.ceil(until),
  )
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

/** Returns the time at which a token is next to be sent to the bouncer (UNIX seconds); undefined without one. */
export function nextPendingTokenAt(sql: Sql): number | undefined {
  return sql.value(`SELECT MIN(due_at) AS due_at FROM push_token WHERE state <> 'known'`)
}

export function hasPendingTokens(sql: Sql): boolean {
  return sql.finds(`SELECT 1 FROM push_token WHERE state <> 'known' LIMIT 1`)
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
  return TOKENS.find(sql, `WHERE user_id = ? AND kind = ? AND token = ?`, userId, kind, token)
}
