import { type BlocksOfSubjects, InBlocks, LIST, type PartsOfRows, type Segment } from '../../core/blocks.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { directSystemGroupsOf, SYSTEM_GROUPS } from '../../permissions/system-groups.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { presentMadeGroup, presentWithoutMembers } from '../user-groups/present-user-group.ts'
import { findGroup, listMadeGroups } from '../user-groups/user-group-rows.ts'
import { listUsersBetween } from '../users/user-rows.ts'
import { listOfObjects } from './channels-in-blocks.ts'
import { type MembersAhead, membersByJoining, membersHaveToWait } from './members-by-joining.ts'
import { items, partsOf, usersInBlocks } from './users-in-blocks.ts'

/**
 * Returns the list of all groups, system groups first (docs/interface/groups.md#the-group-object). Each group made by users is a block,
 * since together they may have hundreds of thousands of members. `members`: if they were read in a turn of their own.
 */
export function groupsInBlocks(
  tx: RealmReads,
  {
    withDeactivated,
    members,
  }: { readonly withDeactivated: boolean; readonly members: MembersAhead | undefined },
): InBlocks {
  const made = madeGroups(tx, withDeactivated)
  const [opening, ...systemGroups] = listOfObjects(systemGroupsInBlocks(tx, members))
  return new InBlocks([opening!, ...systemGroups.slice(0, -1), made, systemGroups.at(-1)!])
}

/** Returns the groups made by users: of each, a block whose only part is the group, with a comma before it. */
function madeGroups(tx: RealmReads, withDeactivated: boolean): PartsOfRows {
  const { sql } = tx
  const family: BlocksOfSubjects = {
    kind: 'group',
    family: 'group',
    make: (id) => [`,${JSON.stringify(presentMadeGroup(sql, findGroup(sql, id)!))}`],
  }
  const numbers = tx
    .remember('groups made by users', () => listMadeGroups(sql))
    .flatMap(({ id, isDeactivated }) => (withDeactivated || !isDeactivated ? id : []))
  return { of: { families: [family], numbers }, parts: [0] }
}

/**
 * Returns the members of system groups, which follow from roles: each block of users has a part for each
 * group.
 */
function systemGroupsInBlocks(tx: RealmReads, members: MembersAhead | undefined): Segment[][] {
  const blocks = usersInBlocks(tx.sql, {
    kind: 'users',
    family: 'members of system groups',
    make(first, last) {
      const users = listUsersBetween(tx.sql, first, last)
        .filter(({ isActive }) => isActive)
        .map(({ id, role }) => ({ id, groups: directSystemGroupsOf({ role, isFullMember: true }) }))
      return SYSTEM_GROUPS.map(({ name }) =>
        items(users.filter(({ groups }) => groups.includes(name)).map(({ id }) => id)),
      )
    },
  })
  const groups = tx.remember('system groups', () =>
    SYSTEM_GROUPS.map(({ id, name }) => ({
      name,
      opening: `${JSON.stringify(presentWithoutMembers(tx, findGroup(tx.sql, id)!)).slice(0, -1)},"members":[`,
    })),
  )
  const full = membersHaveToWait(tx.sql) ? fullMembers(tx, members) : undefined
  return groups.map(({ name, opening }, at) =>
    full !== undefined && name === 'role:fullmembers'
      ? [`${opening}${full}]}`]
      : [opening, LIST, ...partsOf(blocks, at), ']}'],
  )
}

/** Returns the ids of members that are full ones by now, ascending, as JSON without brackets: made again once there is another one. */
function fullMembers(tx: RealmReads, ahead: MembersAhead | undefined): string {
  const joined = membersByJoining(tx, ahead)
  const latest = tx.now - realmProperty(tx.sql, 'waiting_period_threshold') * DAY
  const waiting = joined.findIndex(([, joinedAt]) => joinedAt > latest)
  const count = waiting < 0 ? joined.length : waiting
  return tx.remember(`the first ${count} members`, () =>
    joined
      .slice(0, count)
      .map(([id]) => id)
      .sort((one, other) => one - other)
      .join(),
  )
}
