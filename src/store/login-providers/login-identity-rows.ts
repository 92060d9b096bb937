import type { Sql, WritableSql } from '../../core/sql.ts'

/** The identity of an account at a provider. The table `login_identity` is owned by this file. */
export interface LoginIdentity {
  readonly id: number
  readonly providerId: number
  /** The provider's own id of the person, which it gives to nobody else. */
  readonly subject: string
  readonly userId: number
  /** UNIX seconds. */
  readonly madeAt: number
  /** UNIX seconds: when the provider last logged the person out everywhere; 0: never. */
  readonly loggedOutAt: number
}

const COLUMNS = `id, provider_id AS providerId, subject, user_id AS userId, made_at AS madeAt,
  logged_out_at AS loggedOutAt`

/** Finds who has this identity at the provider. */
export function findLoginIdentity(sql: Sql, providerId: number, subject: string): LoginIdentity | undefined {
  return sql.first<LoginIdentity>(
    `SELECT ${COLUMNS} FROM login_identity WHERE provider_id = ? AND subject = ?`,
    providerId,
    subject,
  )
}

/** Lists an account's identities, the newest last: at most one at each provider. */
export function listLoginIdentities(sql: Sql, userId: number): LoginIdentity[] {
  return sql.all<LoginIdentity>(`SELECT ${COLUMNS} FROM login_identity WHERE user_id = ? ORDER BY id`, userId)
}

/** Inserts an identity. The caller has checked that neither it nor another one of this account at the provider is there. */
export function insertLoginIdentity(
  sql: WritableSql,
  identity: Omit<LoginIdentity, 'id' | 'loggedOutAt'>,
): number {
  return sql.runForFirst<{ id: number }>(
    `INSERT INTO login_identity (provider_id, subject, user_id, made_at) VALUES (?, ?, ?, ?) RETURNING id`,
    identity.providerId,
    identity.subject,
    identity.userId,
    Math.floor(identity.madeAt),
  )!.id
}

export function deleteLoginIdentity(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM login_identity WHERE id = ?`, id)
}

/** Deletes all identities at a provider. */
export function deleteLoginIdentitiesAt(sql: WritableSql, providerId: number): void {
  sql.run(`DELETE FROM login_identity WHERE provider_id = ?`, providerId)
}

/** Deletes all identities of an account. */
export function deleteLoginIdentitiesOf(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM login_identity WHERE user_id = ?`, userId)
}

/** Notes a log-out everywhere. */
export function noteLogoutOf(sql: WritableSql, id: number, at: number): void {
  sql.run(`UPDATE login_identity SET logged_out_at = ? WHERE id = ?`, Math.floor(at), id)
}

/** Notes in which of the provider's sessions an app got the account's key; null where the provider does not say. */
export function noteKeyOfSession(
  sql: WritableSql,
  providerId: number,
  subject: string,
  sid: string | null,
): void {
  sql.run(
    `UPDATE login_identity SET key_sid = ? WHERE provider_id = ? AND subject = ? AND key_sid IS NOT ?1`,
    sid,
    providerId,
    subject,
  )
}

/** Returns whose keys apps got in one of the provider's sessions, at most `limit`, and forgets it. */
export function takeKeysOfSession(
  sql: WritableSql,
  { providerId, sid }: { readonly providerId: number; readonly sid: string },
  limit: number,
): number[] {
  return sql
    .runForAll<{ user_id: number }>(
      `UPDATE login_identity SET key_sid = NULL
       WHERE id IN (SELECT id FROM login_identity WHERE provider_id = ? AND key_sid = ? LIMIT ?)
       RETURNING user_id`,
      providerId,
      sid,
      limit,
    )
    .map(({ user_id }) => user_id)
}
