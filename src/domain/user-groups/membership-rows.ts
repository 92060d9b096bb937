import { thoseAmong } from '../../core/ascending-ids.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { GroupLinks } from '../../permissions/in-group.ts'
import { isSystemGroupId, SYSTEM_GROUPS } from '../../permissions/system-groups.ts'
import { MANY_IDS } from '../users/active-user-rows.ts'
import { openAccountIdsAmong } from '../users/user-id-rows.ts'

/**
 * Returns the links of groups made by users, each with all groups above it: somebody may be in thousands, and is asked about in one query.
 * Links of system groups follow from roles and are not stored.
 */
export function groupLinks(sql: Sql): GroupLinks {
  return {
    groupsOfMember: (userId) =>
      sql.kept<readonly number[]>(`groups of member ${userId}`, () =>
        withThoseAbove(sql, groupsListing(sql, userId)),
      ),
    groupsOfSubgroup: (groupId) => {
      const listing = isSystemGroupId(groupId) ? groupsListingRoles(sql).get(groupId) : undefined
      if (!listing) return NO_GROUPS
      return sql.kept<readonly number[]>(`groups of subgroup ${groupId}`, () => withThoseAbove(sql, listing))
    },
  }
}

/** Returns the groups made by users in which system groups are listed, which are few, by system group. */
function groupsListingRoles(sql: Sql): ReadonlyMap<number, readonly number[]> {
  return sql.kept('groups listing roles', () => {
    const rows = sql.all<{ group_id: number; subgroup_id: number }>(
      `SELECT group_id, subgroup_id FROM user_group_subgroup WHERE subgroup_id <= ?`,
      SYSTEM_GROUPS.length,
    )
    const listing = Map.groupBy(rows, ({ subgroup_id }) => subgroup_id)
    return new Map([...listing].map(([id, those]) => [id, those.map(({ group_id }) => group_id)]))
  })
}

const NO_GROUPS: readonly number[] = []

/** Returns the groups in which a user is listed directly. */
export function groupsListing(sql: Sql, userId: number): number[] {
  return sql
    .all<{ group_id: number }>(`SELECT group_id FROM user_group_member WHERE user_id = ?`, userId)
    .map(({ group_id }) => group_id)
}

/** Returns those of the users who are listed in the group itself, ascending, each once. */
export function directMembersAmong(sql: Sql, groupId: number, userIds: readonly number[]): number[] {
  if (userIds.length >= MANY_IDS) return thoseAmong(allListed(sql, groupId), userIds)
  // In one row, since there may be thousands.
  const { ids } = sql.first<{ ids: JsonText<number[]> }>(
    `SELECT json_group_array(user_id) AS ids FROM user_group_member
     WHERE group_id = ? AND user_id IN (SELECT value FROM json_each(?))`,
    groupId,
    JSON.stringify(userIds),
  )!
  return fromJson(ids).sort((a, b) => a - b)
}

/** Lists the members of a group, closed accounts included, ascending. */
function allListed(sql: Sql, groupId: number): number[] {
  const { ids } = sql.first<{ ids: JsonText<number[]> }>(
    `SELECT json_group_array(user_id) AS ids FROM (SELECT user_id FROM user_group_member WHERE group_id = ? ORDER BY user_id)`,
    groupId,
  )!
  return fromJson(ids)
}

export function insertMembers(sql: WritableSql, groupId: number, userIds: readonly number[]): void {
  sql.changing('user_group_member', [groupId], () =>
    sql.run(
      `INSERT OR IGNORE INTO user_group_member (group_id, user_id) SELECT ?, value FROM json_each(?)`,
      groupId,
      JSON.stringify(userIds),
    ),
  )
}

export function deleteMembers(sql: WritableSql, groupId: number, userIds: readonly number[]): void {
  sql.changing('user_group_member', [groupId], () =>
    sql.run(
      `DELETE FROM user_group_member WHERE group_id = ? AND user_id IN (SELECT value FROM json_each(?))`,
      groupId,
      JSON.stringify(userIds),
    ),
  )
}

export function insertSubgroups(sql: WritableSql, groupId: number, subgroupIds: readonly number[]): void {
  const statement = `INSERT OR IGNORE INTO user_group_subgroup (group_id, subgroup_id) VALUES (?, ?)`
  sql.changing('user_group_subgroup', [groupId], () => {
    for (const subgroupId of subgroupIds) sql.run(statement, groupId, subgroupId)
  })
}

export function deleteSubgroups(sql: WritableSql, groupId: number, subgroupIds: readonly number[]): void {
  const statement = `DELETE FROM user_group_subgroup WHERE group_id = ? AND subgroup_id = ?`
  sql.changing('user_group_subgroup', [groupId], () => {
    for (const subgroupId of subgroupIds) sql.run(statement, groupId, subgroupId)
  })
}

/** Returns direct members whose account is active, ascending. */
export function directMembers(sql: Sql, groupId: number): number[] {
  // In one row, as in `membersListed`.
  const { ids } = sql.about('user_group_member', groupId, () =>
    sql.first<{ ids: JsonText<number[]> }>(
      `SELECT json_group_array(m.user_id) AS ids FROM user_group_member m JOIN user u ON u.id = m.user_id
       WHERE m.group_id = ? AND u.is_active = 1`,
      groupId,
    ),
  )!
  return fromJson(ids).sort((a, b) => a - b)
}

/** Returns the groups in which a group is listed directly, ascending. */
export function supergroupIds(sql: Sql, groupId: number): number[] {
  return sql
    .all<{ group_id: number }>(
      `SELECT group_id FROM user_group_subgroup WHERE subgroup_id = ? ORDER BY group_id`,
      groupId,
    )
    .map(({ group_id }) => group_id)
}

/** Returns the groups that are listed in a group directly, ascending. */
export function subgroupIds(sql: Sql, groupId: number): number[] {
  const statement = `SELECT subgroup_id FROM user_group_subgroup WHERE group_id = ? ORDER BY subgroup_id`
  const rows = sql.about('user_group_subgroup', groupId, () =>
    sql.all<{ subgroup_id: number }>(statement, groupId),
  )
  return rows.map(({ subgroup_id }) => subgroup_id)
}

/** Returns the active accounts that are listed in any of these groups directly, each once. */
export function activeMembersListed(sql: Sql, groupIds: readonly number[]): number[] {
  return openAccountIdsAmong(sql, membersListed(sql, groupIds))
}

/** Returns the same with closed accounts. */
export function membersListed(sql: Sql, groupIds: readonly number[]): number[] {
  // In one row, since ten thousand rows cost more than everything else here. SQLite takes twice as long to sort out those who come again.
  const query = haveMany(sql, groupIds)
    ? `SELECT json_group_array(id) AS ids FROM user WHERE ${IS_LISTED}`
    : `SELECT json_group_array(user_id) AS ids FROM user_group_member WHERE ${IN_THESE}`
  return [...new Set(idsOf(sql, query, groupIds))]
}

const IN_THESE = `group_id IN (SELECT value FROM json_each(?))`

/** Looks through the groups of each account, up to the first that is one of these. */
const IS_LISTED = `EXISTS (SELECT 1 FROM user_group_member m INDEXED BY user_group_member_by_user
  WHERE m.user_id = user.id AND +m.group_id IN (SELECT value FROM json_each(?)))`

/**
 * Number of memberships from which on it takes longer to read them, and to sort out those of the same accounts, than to look through each
 * account's. All memberships of an organization would be a text that SQLite refuses.
 */
const MANY_MEMBERSHIPS = 60_000
/** Groups that cannot have as many, since an organization has at most 20,000 accounts. */
const FEW_GROUPS = 3

function haveMany(sql: Sql, groupIds: readonly number[]): boolean {
  if (groupIds.length <= FEW_GROUPS) return false
  const { count } = sql.first<{ count: number }>(
    `SELECT count(*) AS count FROM
     (SELECT 1 FROM user_group_member WHERE group_id IN (SELECT value FROM json_each(?)) LIMIT ?)`,
    JSON.stringify(groupIds),
    MANY_MEMBERSHIPS,
  )!
  return count === MANY_MEMBERSHIPS
}

/**
 * Returns the groups, and all groups that are listed in them, also indirectly, the groups themselves first: at most `limit`, if there is
 * one. Those of system groups are not stored.
 */
export function groupsUnder(sql: Sql, groupIds: readonly number[], limit = NO_LIMIT): number[] {
  return idsOf(sql, reaching('group_id', 'subgroup_id'), groupIds, limit)
}

/** Returns the groups, and all groups in which they are listed, also indirectly. */
export function withThoseAbove(sql: Sql, groupIds: readonly number[]): number[] {
  return groupIds.length === 0 ? [] : idsOf(sql, reaching('subgroup_id', 'group_id'), groupIds, NO_LIMIT)
}

/** SQLite's number for it. */
const NO_LIMIT = -1

type LinkColumn = 'group_id' | 'subgroup_id'

function reaching(from: LinkColumn, to: LinkColumn): string {
  return `WITH RECURSIVE found (id) AS (SELECT value FROM json_each(?) UNION
            SELECT s.${to} FROM found CROSS JOIN user_group_subgroup s ON s.${from} = found.id LIMIT ?)
          SELECT json_group_array(id) AS ids FROM found`
}

function idsOf(sql: Sql, query: string, groupIds: readonly number[], ...more: number[]): number[] {
  return fromJson(sql.first<{ ids: JsonText<number[]> }>(query, JSON.stringify(groupIds), ...more)!.ids)
}
