import type { IdSet } from '../../core/id-set.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { GroupLinks } from '../../rules/in-group.ts'
import { isSystemGroupId, SYSTEM_GROUPS } from '../../rules/system-groups.ts'
import { addToSet, removeFromSet, storedSet } from '../id-set-rows.ts'

/**
 * Returns the links of groups made by users, each with all groups above it: someone may be in thousands, and is asked about in one query.
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
  return sql.values(`SELECT group_id FROM user_group_member WHERE user_id = ?`, userId)
}

/** The direct members of the group, closed accounts included. */
export function directMembers(sql: Sql, groupId: number): IdSet {
  return storedSet(sql, `members ${groupId}`)
}

export function insertMembers(sql: WritableSql, groupId: number, userIds: readonly number[]): void {
  sql.changing('user_group_member', [groupId], () =>
    sql.run(
      `INSERT OR IGNORE INTO user_group_member (group_id, user_id) SELECT ?, value FROM json_each(?)`,
      groupId,
      userIds,
    ),
  )
  addToSet(sql, `members ${groupId}`, userIds)
}

export function deleteMembers(sql: WritableSql, groupId: number, userIds: readonly number[]): void {
  sql.changing('user_group_member', [groupId], () =>
    sql.run(
      `DELETE FROM user_group_member WHERE group_id = ? AND user_id IN (SELECT value FROM json_each(?))`,
      groupId,
      userIds,
    ),
  )
  removeFromSet(sql, `members ${groupId}`, userIds)
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

/** Returns the groups in which a group is listed directly, ascending. */
export function supergroupIds(sql: Sql, groupId: number): number[] {
  return sql.values(
    `SELECT group_id FROM user_group_subgroup WHERE subgroup_id = ? ORDER BY group_id`,
    groupId,
  )
}

/** Returns the groups that are listed in a group directly, ascending. */
export function subgroupIds(sql: Sql, groupId: number): number[] {
  const statement = `SELECT subgroup_id FROM user_group_subgroup WHERE group_id = ? ORDER BY subgroup_id`
  const rows = sql.about('user_group_subgroup', groupId, () =>
    sql.all<{ subgroup_id: number }>(statement, groupId),
  )
  return rows.map(({ subgroup_id }) => subgroup_id)
}

/** Returns the groups, and all groups that are listed in them, also indirectly. Those of system groups are not stored. */
export function groupsUnder(sql: Sql, groupIds: readonly number[]): number[] {
  return reached(sql, groupIds, 'group_id', 'subgroup_id')
}

/** Returns the groups, and all groups in which they are listed, also indirectly. */
export function withThoseAbove(sql: Sql, groupIds: readonly number[]): number[] {
  return groupIds.length === 0 ? [] : reached(sql, groupIds, 'subgroup_id', 'group_id')
}

type LinkColumn = 'group_id' | 'subgroup_id'

function reached(sql: Sql, groupIds: readonly number[], from: LinkColumn, to: LinkColumn): number[] {
  return sql.list(
    `WITH RECURSIVE found (id) AS (SELECT value FROM json_each(?) UNION
       SELECT s.${to} FROM found CROSS JOIN user_group_subgroup s ON s.${from} = found.id)
     SELECT json_group_array(id) AS ids FROM found`,
    groupIds,
  )
}
