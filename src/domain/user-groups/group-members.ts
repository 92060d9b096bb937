import { defineReader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { isFullMember, type Role } from '../../permissions/roles.ts'
import {
  directSystemGroupsOf,
  isSystemGroupId,
  SYSTEM_GROUPS,
  type SystemGroupName,
  systemGroupById,
  systemGroupId,
} from '../../permissions/system-groups.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { listActive } from '../users/active-user-rows.ts'
import type { User } from '../users/user-rows.ts'
import {
  activeMembersListed,
  groupsUnder,
  membersListed,
  subgroupIds,
  withThoseAbove,
} from './membership-rows.ts'

/** Returns active members of groups, including those of subgroups; each once. */
export function membersOfGroups(sql: Sql, groupIds: readonly number[], now: number): number[] {
  if (groupIds.length === 0) return []
  const groups = withSubgroups(sql, groupIds)
  const listed = activeMembersListed(sql, [...groups])
  return [...new Set([...listed, ...membersBySystem(sql, groups, now)])]
}

/** Returns the accounts in groups, possibly closed ones too, for callers that check each of them anyway. There may be thousands. */
export function accountsInGroups(
  tx: Pick<RealmReads, 'sql' | 'now' | 'use'>,
  groupIds: readonly number[],
): readonly number[] {
  if (groupIds.length === 0) return []
  const groups = withSubgroups(tx.sql, groupIds)
  // All members are in the one or in the other.
  const isByAge = groups.has(systemGroupId('role:fullmembers')) && !groups.has(systemGroupId('role:members'))
  return tx.use(accountsIn, { groupIds, at: isByAge ? tx.now : 0 })
}

/** `at`: the time, where it decides who is in the groups. */
const accountsIn = defineReader({
  name: 'accounts in groups',
  key: ({ groupIds, at }: { readonly groupIds: readonly number[]; readonly at: number }) =>
    `${groupIds.join()} ${at}`,
  *read({ sql }, { groupIds, at }) {
    const groups = withSubgroups(sql, groupIds)
    const listed = membersListed(sql, [...groups])
    yield
    return [...new Set([...listed, ...membersBySystem(sql, groups, at)])]
  },
})

function membersBySystem(sql: Sql, groups: ReadonlySet<number>, now: number): number[] {
  if (![...groups].some(isSystemGroupId)) return []
  return [...systemGroupMembers(sql, now)].flatMap(([id, members]) => (groups.has(id) ? members : []))
}

/** Returns the active accounts that are directly in each system group, by its id. */
export function systemGroupMembers(sql: Sql, now: number): ReadonlyMap<number, readonly number[]> {
  const members = new Map(SYSTEM_GROUPS.map(({ id }): [number, number[]] => [id, []]))
  const waitingPeriod = realmProperty(sql, 'waiting_period_threshold')
  const listsOf = (role: Role, isFull: boolean) =>
    directSystemGroupsOf({ role, isFullMember: isFull }).map((name) => members.get(systemGroupId(name))!)
  // There may be ten thousand users, of five roles.
  const known = { full: new Map<Role, number[][]>(), others: new Map<Role, number[][]>() }
  for (const { id, role, joinedAt } of listActive(sql)) {
    const isFull = isFullMember({ role }, now - joinedAt, waitingPeriod)
    const lists = isFull ? known.full : known.others
    if (!lists.has(role)) lists.set(role, listsOf(role, isFull))
    for (const list of lists.get(role)!) list.push(id)
  }
  return members
}

/** Returns ids of the system groups in which a user is directly. */
export function directSystemGroups(sql: Sql, user: Pick<User, 'role' | 'joinedAt'>, now: number): number[] {
  const full = isFullMember(
    { role: user.role as Role },
    now - user.joinedAt,
    realmProperty(sql, 'waiting_period_threshold'),
  )
  return directSystemGroupsOf({ role: user.role, isFullMember: full }).map(systemGroupId)
}

/** Returns the group itself and every group that contains it, also indirectly. */
export function groupsContaining(sql: Sql, groupId: number): Set<number> {
  return new Set(withThoseAbove(sql, [groupId]))
}

/** Returns the groups and every group that they contain, also indirectly. */
export function withSubgroups(sql: Sql, groupIds: readonly number[]): Set<number> {
  // Most permissions name system groups alone.
  const stored = groupIds.every(isSystemGroupId) ? groupIds : groupsUnder(sql, groupIds)
  return new Set(stored.flatMap((id) => [id, ...(BELOW.get(id) ?? [])]))
}

/** The system groups that each of them contains, also indirectly: a list of ids for each id. */
const BELOW: ReadonlyMap<number, readonly number[]> = new Map(
  SYSTEM_GROUPS.map(({ id, directSubgroup }) => [id, idsFrom(directSubgroup)]),
)

function idsFrom(name: SystemGroupName | null): number[] {
  const group = SYSTEM_GROUPS.find((one) => one.name === name)
  return group ? [group.id, ...idsFrom(group.directSubgroup)] : []
}

/** Returns groups listed directly in a group; those of system groups are fixed. */
export function directSubgroups(sql: Sql, groupId: number): number[] {
  const system = systemGroupById(groupId)
  if (system) {
    return SYSTEM_GROUPS.filter(({ name }) => name === system.directSubgroup).map(({ id }) => id)
  }
  return subgroupIds(sql, groupId)
}
