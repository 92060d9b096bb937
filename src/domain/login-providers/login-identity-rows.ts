import type { Sql, WritableSql } from '../../core/sql.ts'

/** Who an account is at a provider. The table `login_identity` is owned by this file. */
export interface LoginIdentity {
  readonly id: number
  readonly providerId: number
  /** The provider's own id of the person, which it gives to nobody else. */
  readonly subject: string
  readonly userId: number
  /** UNIX seconds. */
  readonly madeAt: number
}

const COLUMNS = `id, provider_id AS providerId, subject, user_id AS userId, made_at AS madeAt`

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
export function insertLoginIdentity(sql: WritableSql, identity: Omit<LoginIdentity, 'id'>): number {
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
