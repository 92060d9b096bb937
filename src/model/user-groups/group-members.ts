import { BadRequestError } from '../../core/errors.ts'
import { IdSet } from '../../core/id-set.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'
import type { GroupFacts } from '../../rules/group-setting-values.ts'
import { isFullMember, ROLES, type Role } from '../../rules/roles.ts'
import {
  directSystemGroupsOf,
  isSystemGroupId,
  SYSTEM_GROUPS,
  type SystemGroupName,
  systemGroupById,
  systemGroupId,
} from '../../rules/system-groups.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import {
  directMembers,
  groupsUnder,
  subgroupIds,
  withThoseAbove,
} from '../../store/user-groups/membership-rows.ts'
import { findGroup, type UserGroup } from '../../store/user-groups/user-group-rows.ts'
import { activeUsers, activeWithRole, openAmong } from '../../store/users/account-set-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { listActive } from '../../store/users/user-summary-rows.ts'

/** Returns the accounts in groups and their subgroups: active accounts in system groups, and closed ones too in others. */
export function accountsInGroups(
  { sql, now }: Pick<RealmReads, 'sql' | 'now'>,
  groupIds: readonly number[],
): IdSet {
  if (groupIds.length === 0) return IdSet.none
  return IdSet.union(Array.from(withSubgroups(sql, groupIds), (id) => directlyIn(sql, id, now)))
}

/** Returns the direct members of a group: active accounts in a system group, and closed ones too in any other. */
export function directlyIn(sql: Sql, groupId: number, now: number): IdSet {
  switch (systemGroupById(groupId)?.name) {
    case undefined:
      return directMembers(sql, groupId)
    case 'role:owners':
      return activeWithRole(sql, ROLES.owner)
    case 'role:administrators':
      return activeWithRole(sql, ROLES.administrator)
    case 'role:moderators':
      return activeWithRole(sql, ROLES.moderator)
    case 'role:fullmembers':
      return activeWithRole(sql, ROLES.member).andNot(newMembers(sql, now))
    case 'role:members':
      return activeWithRole(sql, ROLES.member)
    case 'role:everyone':
      return activeWithRole(sql, ROLES.guest)
    default:
      return IdSet.none
  }
}

/** Returns the users of any role who have joined too recently to be full members. */
function newMembers(sql: Sql, now: number): IdSet {
  const waitingPeriod = realmProperty(sql, 'waiting_period_threshold')
  if (waitingPeriod === 0) return IdSet.none
  const latest = now - waitingPeriod * DAY
  return IdSet.of(listActive(sql).flatMap(({ id, joinedAt }) => (joinedAt > latest ? [id] : [])))
}

export function directSystemGroups(sql: Sql, user: Pick<User, 'role' | 'joinedAt'>, now: number): number[] {
  const full = isFullMember(
    { role: user.role as Role },
    now - user.joinedAt,
    realmProperty(sql, 'waiting_period_threshold'),
  )
  return directSystemGroupsOf({ role: user.role, isFullMember: full }).map(systemGroupId)
}

/** Returns the group itself and every group that contains it, directly or not. */
export function groupsContaining(sql: Sql, groupId: number): Set<number> {
  return new Set(withThoseAbove(sql, [groupId]))
}

/** Returns the groups and every group that they contain, directly or not. */
export function withSubgroups(sql: Sql, groupIds: readonly number[]): Set<number> {
  // Most permissions name only system groups.
  const stored = groupIds.every(isSystemGroupId) ? groupIds : groupsUnder(sql, groupIds)
  return new Set(stored.flatMap((id) => [id, ...(BELOW.get(id) ?? [])]))
}

/** For each system group, the ids of the system groups that it contains, directly or not. */
const BELOW: ReadonlyMap<number, readonly number[]> = new Map(
  SYSTEM_GROUPS.map(({ id, directSubgroup }) => [id, idsFrom(directSubgroup)]),
)

function idsFrom(name: SystemGroupName | null): number[] {
  const group = SYSTEM_GROUPS.find((one) => one.name === name)
  return group ? [group.id, ...idsFrom(group.directSubgroup)] : []
}

/** Returns the direct subgroups of a group. System groups have fixed ones. */
export function directSubgroups(sql: Sql, groupId: number): number[] {
  const system = systemGroupById(groupId)
  if (system) {
    return SYSTEM_GROUPS.filter(({ name }) => name === system.directSubgroup).map(({ id }) => id)
  }
  return subgroupIds(sql, groupId)
}

/** Returns the facts against which a permission's value is checked. */
export function groupFacts(sql: Sql): GroupFacts {
  return {
    group: (id) => findGroup(sql, id),
    openAccounts: (ids) => new Set(openAmong(sql, ids)),
  }
}

/**
 * Returns the ids, ascending, each once.
 * @throws BadRequestError for an unknown or deactivated user (docs/interface/groups.md#create-a-group)
 */
export function requireActiveUserIds(sql: Sql, ids: readonly number[]): number[] {
  const users = activeUsers(sql).and(IdSet.of(ids))
  const other = ids.find((id) => !users.has(id))
  if (other !== undefined) throw new BadRequestError(`Invalid user ID: ${other}`)
  return users.toArray()
}

/** Returns the groups, which must not be deactivated, ascending by id, each once (docs/interface/groups.md#create-a-group). */
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
