import { membersText, valuesText } from '../../core/json.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import {
  fragmentOfEach,
  type InFragments,
  listOf,
  memberOf,
  objectOf,
  type Section,
  sectionOf,
} from '../../core/sections.ts'
import { DAY } from '../../core/time.ts'
import { ROLES } from '../../rules/roles.ts'
import { directSystemGroupsOf, SYSTEM_GROUPS } from '../../rules/system-groups.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findGroup, listMadeGroups } from '../../store/user-groups/user-group-rows.ts'
import { listOpenUsersOfBlock, userBlocks } from '../../store/users/user-block-rows.ts'
import { listActive } from '../../store/users/user-summary-rows.ts'
import { presentMadeGroup, presentWithoutMembers } from '../user-groups/present-user-group.ts'

/** Returns all groups, system groups first. Each made by users is a section: they may have hundreds of thousands of members. */
export function groupsInSections(
  tx: RealmReads,
  { withDeactivated }: { readonly withDeactivated: boolean },
): InFragments {
  const ids = tx
    .use(groupsMade, undefined)
    .filter(({ isDeactivated }) => withDeactivated || !isDeactivated)
    .map(({ id }) => id)
  return listOf([...systemGroups(tx), ...fragmentOfEach(tx.useAll(madeGroup, ids), 0)])
}

export const groupsMade = defineReader({
  name: 'groups made by users',
  key: () => '',
  *read({ sql }) {
    const groups = listMadeGroups(sql)
    yield
    return groups
  },
})

const madeGroup = defineReader({
  name: 'group',
  key: (id: number) => `${id}`,
  *read({ sql }, id): Generator<undefined, Section> {
    const group = presentMadeGroup(sql, findGroup(sql, id)!)
    yield
    return sectionOf(`group ${id}`, [JSON.stringify(group)])
  },
})

/** Returns the system groups, whose members follow from roles and from time. */
function systemGroups(tx: RealmReads): InFragments[] {
  const blocks = tx.useAll(membersOfBlock, userBlocks(tx.sql))
  // If new members have to wait, time alone makes them full members.
  const full = realmProperty(tx.sql, 'waiting_period_threshold') > 0 ? fullMembers(tx) : undefined
  return tx.use(systemGroupsWithoutMembers, undefined).map((group, at) => {
    const isFull = SYSTEM_GROUPS[at]!.name === 'role:fullmembers'
    const members = full && isFull ? fragmentOfEach([full], 0) : fragmentOfEach(blocks, at)
    return objectOf([group, memberOf('members', listOf(members))])
  })
}

/** The members of the groups' objects, as a fragment each. */
const systemGroupsWithoutMembers = defineReader({
  name: 'system groups without members',
  key: () => '',
  *read({ sql }) {
    const groups = SYSTEM_GROUPS.map(({ id }) => presentWithoutMembers({ sql }, findGroup(sql, id)!))
    yield
    return groups.map(membersText)
  },
})

/** The members of the system groups among the users of a block: one fragment for each group. */
const membersOfBlock = defineReader({
  name: 'members of system groups',
  key: (block: number) => `${block}`,
  *read({ sql }, block): Generator<undefined, Section> {
    const users = listOpenUsersOfBlock(sql, block).map(([id, role]) => ({
      id,
      groups: directSystemGroupsOf({ role, isFullMember: true }),
    }))
    yield
    const members = SYSTEM_GROUPS.map(({ name }) =>
      valuesText(users.filter(({ groups }) => groups.includes(name)).map(({ id }) => id)),
    )
    return sectionOf(`members ${block}`, members)
  },
})

/** Returns the ids of the full members by now, ascending: a section that is made again when another member has waited long enough. */
function fullMembers(tx: Pick<RealmReads, 'sql' | 'now' | 'use'>): Section {
  const latest = tx.now - realmProperty(tx.sql, 'waiting_period_threshold') * DAY
  const joined = tx.use(membersByJoining, undefined)
  const waiting = joined.findIndex(([, joinedAt]) => joinedAt > latest)
  return tx.use(firstMembers, waiting < 0 ? joined.length : waiting)
}

/** Ids of members with open accounts and the times when they joined (UNIX seconds), ascending by time. */
const membersByJoining = defineReader({
  name: 'members by joining',
  key: () => '',
  *read({ sql }) {
    const members = listActive(sql).filter(({ role }) => role === ROLES.member)
    yield
    return members
      .sort((one, other) => one.joinedAt - other.joinedAt)
      .map(({ id, joinedAt }) => [id, joinedAt] as const)
  },
})

const firstMembers = defineReader({
  name: 'first members',
  key: (count: number) => `${count}`,
  *read(store, count) {
    const joined = yield* store.use(membersByJoining, undefined)
    const ids = joined
      .slice(0, count)
      .map(([id]) => id)
      .sort((one, other) => one - other)
    return sectionOf('full members', [valuesText(ids)])
  },
})
