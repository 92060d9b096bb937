import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'

/** Ids that are listed in some groups directly, by group; groups that list none are missing. */
export interface Listed {
  readonly of: ReadonlyMap<number, readonly number[]>
  readonly count: number
  /** Whether there are as many as the limit allows, so that more may be missing. */
  readonly isFull: boolean
}

/** Returns the first subgroups of groups, in the order of the groups. */
export function firstSubgroups(sql: Sql, groupIds: readonly number[], limit: number): Listed {
  return firstListed(
    sql,
    `SELECT s.group_id, s.subgroup_id AS id
     FROM json_each(?) j CROSS JOIN user_group_subgroup s ON s.group_id = j.value`,
    groupIds,
    limit,
  )
}

/** Returns the first members of groups, closed accounts included, in the order of the groups. */
export function firstMembers(sql: Sql, groupIds: readonly number[], limit: number): Listed {
  return firstListed(
    sql,
    `SELECT m.group_id, m.user_id AS id
     FROM json_each(?) j CROSS JOIN user_group_member m ON m.group_id = j.value`,
    groupIds,
    limit,
  )
}

function firstListed(sql: Sql, query: string, groupIds: readonly number[], limit: number): Listed {
  // In a row for each group, since a row for each member takes longer.
  const rows = sql.all<{ group_id: number; ids: JsonText<number[]> }>(
    `SELECT group_id, json_group_array(id) AS ids FROM (${query} LIMIT ?) GROUP BY group_id`,
    JSON.stringify(groupIds),
    limit,
  )
  const of = new Map(rows.map(({ group_id, ids }) => [group_id, fromJson(ids)]))
  const count = [...of.values()].reduce((sum, { length }) => sum + length, 0)
  return { of, count, isFull: count >= limit }
}
