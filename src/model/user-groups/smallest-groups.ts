import { IdSet } from '../../core/id-set.ts'
import type { Sql } from '../../core/sql.ts'
import { closedAccounts } from '../../store/users/account-set-rows.ts'
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
  const membersOf = membersInside(sql, groupIds, now)
  const closed = closedAccounts(sql)
  const sized = groupIds.map((id) => ({ id, members: membersOf.get(id)!.andNot(closed) }))
  const smallest = new Map<number, number>()
  let found = IdSet.none
  for (const { id, members } of sized.sort((a, b) => a.members.size - b.members.size)) {
    for (const member of members.andNot(found)) smallest.set(member, id)
    found = found.or(members)
  }
  return smallest
}

/** Returns the accounts in each of the groups, and in each group inside them. Groups may be in each other thousands deep, so nothing calls itself. */
function membersInside(sql: Sql, groupIds: readonly number[], now: number): ReadonlyMap<number, IdSet> {
  const known = new Map<number, IdSet>()
  const opened = (id: number) => ({ id, subgroups: directSubgroups(sql, id), at: 0 })
  const open = groupIds.map(opened)
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const { id, subgroups } = last
    while (last.at < subgroups.length && known.has(subgroups[last.at]!)) last.at += 1
    if (!known.has(id) && last.at < subgroups.length) open.push(opened(subgroups[last.at]!))
    else {
      open.pop()
      if (!known.has(id)) {
        const inside = subgroups.map((subgroup) => known.get(subgroup)!)
        known.set(id, IdSet.union([directlyIn(sql, id, now), ...inside]))
      }
    }
  }
  return known
}
