import { GROUPS_SIZED } from '../../core/budgets.ts'
import type { Sql } from '../../core/sql.ts'
import { isSystemGroupId, SYSTEM_GROUPS, systemGroupId } from '../../permissions/system-groups.ts'
import { openAmong } from '../users/account-set-rows.ts'
import { directlyIn, directSubgroups } from './group-members.ts'
import { firstMembers, firstSubgroups, type Listed } from './group-size-rows.ts'
import { MemberSet } from './member-set.ts'
import { groupsUnder } from './membership-rows.ts'

/**
 * Returns, for each active member of the groups, the smallest of them: the one with the fewest active members that contains them,
 * directly or through subgroups, and of equal ones the first. Each group is read once, however many of the others contain it, and of
 * all together no more than `GROUPS_SIZED`. Groups that were not read to the end come after the others, in their order; somebody
 * who is in none as far as they were read is missing.
 */
export function smallestGroups(
  sql: Sql,
  groupIds: readonly number[],
  now: number,
): ReadonlyMap<number, number> {
  const named = groupIds.join()
  const inside = sql.kept(`groups inside ${named}`, () => readInside(sql, groupIds))
  // Of all groups it alone changes with time.
  const isByAge = inside.groups.includes(systemGroupId('role:fullmembers'))
  return sql.kept(`smallest of ${named}${isByAge ? ` at ${now}` : ''}`, () =>
    smallestWithEach(sql, groupIds, inside, now),
  )
}

interface Inside {
  /** The groups, then those inside them. */
  readonly groups: readonly number[]
  readonly subgroups: Listed
}

function readInside(sql: Sql, groupIds: readonly number[]): Inside {
  const groups = groupsUnder(sql, groupIds, GROUPS_SIZED.groups)
  return { groups, subgroups: firstSubgroups(sql, groups, GROUPS_SIZED.subgroups) }
}

/** Returns each active member of the groups, with the first of the smallest that contain them. */
function smallestWithEach(
  sql: Sql,
  groupIds: readonly number[],
  inside: Inside,
  now: number,
): Map<number, number> {
  const { membersOf, closed } = readMembers(sql, inside, now)
  const sizes = new Map(
    groupIds.map((id) => {
      const { set, isWhole } = membersOf(id)
      return [id, isWhole ? set.countExcept(closed) : Number.MAX_SAFE_INTEGER]
    }),
  )
  const smallest = new Map<number, number>()
  // Closed accounts are found as little as those who are in a smaller group.
  const found = closed
  for (const id of groupIds.toSorted((a, b) => sizes.get(a)! - sizes.get(b)!)) {
    for (const member of membersOf(id).set.moveTo(found)) smallest.set(member, id)
  }
  return smallest
}

interface Members {
  readonly set: MemberSet
  /** Whether all of them were read. */
  isWhole: boolean
}

interface MembersInside {
  /** Returns the members of one of the groups, with those of its subgroups and closed accounts. */
  readonly membersOf: (groupId: number) => Members
  readonly closed: MemberSet
}

function readMembers(sql: Sql, { groups, subgroups }: Inside, now: number): MembersInside {
  const listed = firstMembers(sql, groups, GROUPS_SIZED.members)
  const lists = new Map([
    ...listed.of,
    ...(groups.some(isSystemGroupId) ? SYSTEM_GROUPS : []).map(
      ({ id }) => [id, directlyIn(sql, id, now).toArray()] as const,
    ),
  ])
  const highestId = highestIn(lists.values())
  const isRead = new Set(groups.slice(0, Math.min(readToEnd(groups, subgroups), readToEnd(groups, listed))))
  const isInside = new Set(groups)
  const known = new Map<number, Members>()
  const membersOf = (id: number): Members => {
    const made = known.get(id)
    if (made) return made
    const isSystem = isSystemGroupId(id)
    if (!isSystem && !isInside.has(id)) return UNREAD
    const members = { set: new MemberSet(highestId), isWhole: isSystem || isRead.has(id) }
    known.set(id, members)
    members.set.add(lists.get(id) ?? [])
    for (const subgroupId of isSystem ? directSubgroups(sql, id) : (subgroups.of.get(id) ?? [])) {
      const { set, isWhole } = membersOf(subgroupId)
      members.set.addAll(set)
      members.isWhole &&= isWhole
    }
    return members
  }
  return { membersOf, closed: closedAmong(sql, listed.of.values(), highestId) }
}

/** A group beyond the limit. */
const UNREAD: Members = { set: new MemberSet(0), isWhole: false }

function highestIn(lists: Iterable<readonly number[]>): number {
  let highest = 0
  for (const ids of lists) for (const id of ids) highest = Math.max(highest, id)
  return highest
}

function closedAmong(sql: Sql, lists: Iterable<readonly number[]>, highestId: number): MemberSet {
  const [all, open, closed] = [new MemberSet(highestId), new MemberSet(highestId), new MemberSet(highestId)]
  for (const ids of lists) all.add(ids)
  const ids = all.moveTo(new MemberSet(highestId))
  open.add(openAmong(sql, ids))
  closed.add(all.moveTo(open))
  return closed
}

/** Returns how many of the groups, from the first on, have nothing beyond what was read. */
function readToEnd(groups: readonly number[], { of, isFull }: Listed): number {
  return isFull ? groups.findLastIndex((id) => of.has(id)) : groups.length
}
