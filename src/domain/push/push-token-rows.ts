import type { Sql } from '../../core/sql.ts'

export type PushTokenKind = 'fcm' | 'apns'

/** Tokens of devices for the older, unencrypted notifications. The table `push_token` is owned by this file. */
export function putPushToken(
  sql: Sql,
  userId: number,
  kind: PushTokenKind,
  token: string,
  appId: string | null,
): void {
  sql.run(
    `INSERT INTO push_token (user_id, kind, token, app_id) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (user_id, kind, token) DO UPDATE SET app_id = ?4 WHERE app_id IS NOT ?4`,
    userId,
    kind,
    token,
    appId,
  )
}

/** False when the user has no such token. */
export function deletePushToken(sql: Sql, userId: number, kind: PushTokenKind, token: string): boolean {
  const deleted = sql.first(
    `DELETE FROM push_token WHERE user_id = ? AND kind = ? AND token = ? RETURNING token`,
    userId,
    kind,
    token,
  )
  return deleted !== undefined
}
