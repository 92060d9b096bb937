import { type BlocksOfSubjects, InBlocks, LIST, type PartsOfRows, type Segment } from '../../core/blocks.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { directSystemGroupsOf, SYSTEM_GROUPS } from '../../permissions/system-groups.ts'
import { presentMadeGroup, presentWithoutMembers } from '../user-groups/present-user-group.ts'
import { findGroup, listMadeGroups } from '../user-groups/user-group-rows.ts'
import { listUsersBetween } from '../users/user-rows.ts'
import { listOfObjects } from './channels-in-blocks.ts'
import { fullMembers, membersHaveToWait } from './members-by-joining.ts'
import { items, partsOf, usersInBlocks } from './users-in-blocks.ts'

/**
 * Returns the list of all groups, system groups first (docs/interface/groups.md#the-group-object). Each group made by users is a block,
 * since together they may have hundreds of thousands of members.
 */
export function groupsInBlocks(
  tx: RealmReads,
  { withDeactivated }: { readonly withDeactivated: boolean },
): InBlocks {
  const made = madeGroups(tx, withDeactivated)
  const [opening, ...systemGroups] = listOfObjects(systemGroupsInBlocks(tx))
  return new InBlocks([opening!, ...systemGroups.slice(0, -1), made, systemGroups.at(-1)!])
}

const groupsMade = defineReader({
  name: 'groups made by users',
  key: () => '',
  *read({ sql }) {
    const groups = listMadeGroups(sql)
    yield
    return groups
  },
})

/** Returns the groups made by users: of each, a block whose only part is the group, with a comma before it. */
function madeGroups(tx: RealmReads, withDeactivated: boolean): PartsOfRows {
  const { sql } = tx
  const family: BlocksOfSubjects = {
    kind: 'group',
    family: 'group',
    make: (id) => [`,${JSON.stringify(presentMadeGroup(sql, findGroup(sql, id)!))}`],
  }
  const numbers = tx
    .use(groupsMade, undefined)
    .flatMap(({ id, isDeactivated }) => (withDeactivated || !isDeactivated ? id : []))
  return { of: { families: [family], numbers }, parts: [0] }
}

/**
 * Returns the members of system groups, which follow from roles: each block of users has a part for each
 * group.
 */
function systemGroupsInBlocks(tx: RealmReads): Segment[][] {
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
  const full = membersHaveToWait(tx.sql) ? fullMembers(tx) : undefined
  return tx
    .use(systemGroups, undefined)
    .map(({ name, opening }, at) =>
      full !== undefined && name === 'role:fullmembers'
        ? [`${opening}${full}]}`]
        : [opening, LIST, ...partsOf(blocks, at), ']}'],
    )
}

/** The beginning of each system group, up to its members. */
const systemGroups = defineReader({
  name: 'system groups',
  key: () => '',
  *read({ sql }) {
    const groups = SYSTEM_GROUPS.map(({ id, name }) => ({
      name,
      opening: `${JSON.stringify(presentWithoutMembers({ sql }, findGroup(sql, id)!)).slice(0, -1)},"members":[`,
    }))
    yield
    return groups
  },
})
