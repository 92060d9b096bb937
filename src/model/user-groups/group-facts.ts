import { BadRequestError } from '../../core/errors.ts'
import { IdSet } from '../../core/id-set.ts'
import type { Sql } from '../../core/sql.ts'
import type { GroupFacts } from '../../rules/group-setting-values.ts'
import { findGroup, type UserGroup } from '../../store/user-groups/user-group-rows.ts'
import { activeUsers, openAmong } from '../../store/users/account-set-rows.ts'

/** Returns the facts against which a permission's value is checked. */
export function groupFacts(sql: Sql): GroupFacts {
  return {
    group: (id) => findGroup(sql, id),
    openAccounts: (ids) => new Set(openAmong(sql, ids)),
  }
}

/**
 * Returns ids, ascending, each once. @throws BadRequestError for an unknown or deactivated user
 * (docs/interface/groups.md#create-a-group).
 */
export function requireActiveUserIds(sql: Sql, ids: readonly number[]): number[] {
  const users = activeUsers(sql).and(IdSet.of(ids))
  const other = ids.find((id) => !users.has(id))
  if (other !== undefined) throw new BadRequestError(`Invalid user ID: ${other}`)
  return users.toArray()
}

/**
 * Returns groups that may become subgroups: system groups too, deactivated ones not
 * (docs/interface/groups.md#create-a-group).
 */
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
