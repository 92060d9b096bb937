import { IdSet } from '../../core/id-set.ts'
import type { Sql } from '../../core/sql.ts'
import { closedAccounts } from '../users/account-set-rows.ts'
import { directlyIn, directSubgroups } from './group-members.ts'

/**
 * Returns, for each active member of the groups, the smallest of them: the one with the fewest active members that contains them,
 * directly or through subgroups, and of equal ones the first. Each group is read once, however many of the others contain it.
 */
export function smallestGroups(
  sql: Sql,
  groupIds: readonly number[],
  now: number,
): ReadonlyMap<number, number> {
  const known = new Map<number, IdSet>()
  const membersOf = (id: number): IdSet => {
    const members =
      known.get(id) ?? IdSet.union([directlyIn(sql, id, now), ...directSubgroups(sql, id).map(membersOf)])
    known.set(id, members)
    return members
  }
  const closed = closedAccounts(sql)
  const sized = groupIds.map((id) => ({ id, members: membersOf(id).andNot(closed) }))
  const smallest = new Map<number, number>()
  let found = IdSet.none
  for (const { id, members } of sized.sort((a, b) => a.members.size - b.members.size)) {
    for (const member of members.andNot(found)) smallest.set(member, id)
    found = found.or(members)
  }
  return smallest
}
