import type { Sql, WritableSql } from '../../../core/sql.ts'
import type { Role } from '../../../rules/roles.ts'
import { nameOfAccount, nameOfBlock } from '../account-set-rows.ts'
import { changeUser, moveToRole, noteForD1, type User } from '../user-rows.ts'

/** Returns the role that a user had at the event `eventId`. */
export function roleAt(sql: Sql, userId: number, eventId: number): number | undefined {
  const user = sql.first<{ role: number; role_since_event: number }>(
    `SELECT role, role_since_event FROM user WHERE id = ?`,
    userId,
  )
  if (!user || eventId > user.role_since_event) return user?.role
  const past = `SELECT role FROM role_period WHERE user_id = ? AND until_event >= ? ORDER BY until_event LIMIT 1`
  return sql.value(past, userId, eventId) ?? user.role
}

/** Returns the present roles of users by id, with the event since which they have them. */
export function presentRoles(
  sql: Sql,
  userIds: readonly number[],
): Map<number, { readonly role: number; readonly since: number }> {
  const rows = sql.all<{ id: number; role: number; role_since_event: number }>(
    `SELECT id, role, role_since_event FROM user WHERE id IN (SELECT value FROM json_each(?))`,
    userIds,
  )
  return new Map(rows.map(({ id, role, role_since_event }) => [id, { role, since: role_since_event }]))
}

/** Gives a user another role from the next event on. */
export function changeRole(sql: WritableSql, user: User, role: Role, lastEventId: number): void {
  sql.run(
    `INSERT OR REPLACE INTO role_period (user_id, until_event, role) VALUES (?, ?, ?)`,
    user.id,
    lastEventId,
    user.role,
  )
  changeUser(sql, user.id, { role, roleSinceEvent: lastEventId })
}

/** Does the same for several users, however many. */
export function changeRoles(
  sql: WritableSql,
  userIds: readonly number[],
  role: Role,
  lastEventId: number,
): void {
  const ids = JSON.stringify(userIds)
  sql.run(
    `INSERT OR REPLACE INTO role_period (user_id, until_event, role)
     SELECT id, ?, role FROM user WHERE id IN (SELECT value FROM json_each(?))`,
    lastEventId,
    ids,
  )
  moveToRole(sql, userIds, role)
  noteForD1(sql, userIds)
  sql.changing('user', [...new Set(userIds.map(nameOfBlock)), ...userIds.map(nameOfAccount)], () =>
    sql.run(
      `UPDATE user SET role = ?, role_since_event = ? WHERE id IN (SELECT value FROM json_each(?))`,
      role,
      lastEventId,
      ids,
    ),
  )
}
