import type { Sql } from '../../core/sql.ts'
import type { GroupLinks } from '../../permissions/in-group.ts'

/** The links of groups made by users; those of system groups follow from roles and are not stored. */
export function groupLinks(sql: Sql): GroupLinks {
  return {
    groupsOfMember: (userId) =>
      sql
        .all<{ group_id: number }>(`SELECT group_id FROM user_group_member WHERE user_id = ?`, userId)
        .map(({ group_id }) => group_id),
    groupsOfSubgroup: (groupId) =>
      sql
        .all<{ group_id: number }>(`SELECT group_id FROM user_group_subgroup WHERE subgroup_id = ?`, groupId)
        .map(({ group_id }) => group_id),
  }
}

/** Is the user listed in the group itself? */
export function isDirectMember(sql: Sql, groupId: number, userId: number): boolean {
  return (
    sql.first(`SELECT 1 FROM user_group_member WHERE group_id = ? AND user_id = ?`, groupId, userId) !==
    undefined
  )
}

export function insertMembers(sql: Sql, groupId: number, userIds: readonly number[]): void {
  for (const userId of userIds) {
    sql.run(`INSERT OR IGNORE INTO user_group_member (group_id, user_id) VALUES (?, ?)`, groupId, userId)
  }
}

export function deleteMembers(sql: Sql, groupId: number, userIds: readonly number[]): void {
  for (const userId of userIds) {
    sql.run(`DELETE FROM user_group_member WHERE group_id = ? AND user_id = ?`, groupId, userId)
  }
}

export function insertSubgroups(sql: Sql, groupId: number, subgroupIds: readonly number[]): void {
  for (const subgroupId of subgroupIds) {
    sql.run(
      `INSERT OR IGNORE INTO user_group_subgroup (group_id, subgroup_id) VALUES (?, ?)`,
      groupId,
      subgroupId,
    )
  }
}

export function deleteSubgroups(sql: Sql, groupId: number, subgroupIds: readonly number[]): void {
  for (const subgroupId of subgroupIds) {
    sql.run(`DELETE FROM user_group_subgroup WHERE group_id = ? AND subgroup_id = ?`, groupId, subgroupId)
  }
}
