import { InBlocks, LIST, type Segment } from '../../core/blocks.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { SYSTEM_GROUPS } from '../../permissions/system-groups.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { directSystemGroups } from '../user-groups/group-members.ts'
import {
  type PresentedUserGroup,
  presentUserGroups,
  presentWithoutMembers,
} from '../user-groups/present-user-group.ts'
import { listGroups } from '../user-groups/user-group-rows.ts'
import { listUsersBetween } from '../users/user-rows.ts'
import { listOfObjects } from './channels-in-blocks.ts'
import type { Snapshot } from './snapshot.ts'
import { items, partsOf, usersInBlocks } from './users-in-blocks.ts'

/** Key of `realm_user_groups`: guests get it too. */
export const realmUserGroupsSnapshot: Snapshot = (tx, _caller, { capabilities }) => {
  const isShown = ({ deactivated }: Pick<PresentedUserGroup, 'deactivated'>) =>
    !deactivated || capabilities.has('include_deactivated_groups')
  // Where new members become full ones after a while, time alone changes the groups.
  if (realmProperty(tx.sql, 'waiting_period_threshold') !== 0) {
    return { realm_user_groups: presentUserGroups(tx, listGroups(tx.sql)).filter(isShown) }
  }
  const made = tx.remember('groups made by users', () =>
    presentUserGroups(
      tx,
      listGroups(tx.sql).filter(({ isSystem }) => !isSystem),
    ),
  )
  const groups = [...systemGroups(tx), ...made.filter(isShown).map((group) => [JSON.stringify(group)])]
  return { realm_user_groups: new InBlocks(listOfObjects(groups)) }
}

/**
 * Returns the members of system groups, which follow from roles: each block of users has a part for each
 * group.
 */
function systemGroups(tx: RealmReads): Segment[][] {
  const blocks = usersInBlocks(tx.sql, {
    kind: 'users',
    family: 'members of system groups',
    make(first, last) {
      const users = listUsersBetween(tx.sql, first, last)
        .filter(({ isActive }) => isActive)
        .map((user) => ({ id: user.id, groups: directSystemGroups(tx.sql, user, tx.now) }))
      return SYSTEM_GROUPS.map((group) =>
        items(users.filter(({ groups }) => groups.includes(group.id)).map(({ id }) => id)),
      )
    },
  })
  const groups = tx.remember('system groups', () =>
    listGroups(tx.sql)
      .filter(({ isSystem }) => isSystem)
      .map((group) => ({
        part: SYSTEM_GROUPS.findIndex(({ id }) => id === group.id),
        opening: `${JSON.stringify(presentWithoutMembers(tx, group)).slice(0, -1)},"members":[`,
      })),
  )
  return groups.map(({ part, opening }) => [opening, LIST, ...partsOf(blocks, part), ']}'])
}
