import { BadRequestError } from '../../core/errors.ts'
import type { Sql } from '../../core/sql.ts'
import type { GroupFacts } from '../../permissions/group-setting-values.ts'
import { findUser, findUsers } from '../users/user-rows.ts'
import { findGroup, type UserGroup } from './user-group-rows.ts'

/** What a permission's value is checked against. */
export function groupFacts(sql: Sql): GroupFacts {
  return { group: (id) => findGroup(sql, id), user: (id) => findUser(sql, id) }
}

/** Ascending, each once. @throws BadRequestError for an unknown or deactivated user (behaviour 4.15). */
export function requireActiveUserIds(sql: Sql, ids: readonly number[]): number[] {
  const users = findUsers(sql, ids)
  for (const id of ids) {
    const user = users.get(id)
    if (!user?.isActive || user.isSystemBot) throw new BadRequestError(`Invalid user ID: ${id}`)
  }
  return [...users.keys()].sort((a, b) => a - b)
}

/** Groups that may become subgroups: system groups too, deactivated ones not (behaviour 4.15). */
export function requireSubgroups(sql: Sql, ids: readonly number[]): UserGroup[] {
  return [...new Set(ids)]
    .sort((a, b) => a - b)
    .map((id) => {
      const group = findGroup(sql, id)
      if (!group) throw new BadRequestError(`Invalid user group ID: ${id}`)
      if (group.isDeactivated) throw new BadRequestError('User group is deactivated.')
      return group
    })
}
