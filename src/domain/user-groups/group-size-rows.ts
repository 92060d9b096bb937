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
  const query = `SELECT subgroup_id AS id FROM user_group_subgroup WHERE group_id = j.value`
  return firstListed(sql, query, groupIds, limit)
}

/** Returns the first members of groups, closed accounts included, in the order of the groups. */
export function firstMembers(sql: Sql, groupIds: readonly number[], limit: number): Listed {
  const query = `SELECT user_id AS id FROM user_group_member WHERE group_id = j.value`
  return firstListed(sql, query, groupIds, limit)
}

function firstListed(sql: Sql, query: string, groupIds: readonly number[], limit: number): Listed {
  // In a row for each group, since a row for each member takes longer, and so does grouping them afterwards.
  const rows = sql.each<{ group_id: number; ids: JsonText<number[]> }>(
    `SELECT j.value AS group_id, (SELECT json_group_array(id) FROM (${query} LIMIT ?)) AS ids FROM json_each(?) j`,
    limit,
    JSON.stringify(groupIds),
  )
  const of = new Map<number, readonly number[]>()
  let count = 0
  for (const { group_id, ids } of rows) {
    const listed = fromJson(ids).slice(0, limit - count)
    if (listed.length > 0) of.set(group_id, listed)
    count += listed.length
    if (count >= limit) break
  }
  return { of, count, isFull: count >= limit }
}
