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
