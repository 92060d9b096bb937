import { EVERYONE } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredUserGroupEvent } from '../../events/user-group.ts'
import { ROLES } from '../../permissions/roles.ts'
import { systemGroupId } from '../../permissions/system-groups.ts'
import { actorOf } from '../caller.ts'
import { directSystemGroups } from '../user-groups/group-members.ts'
import { awaitFullMembers, tellFullMembers } from '../user-groups/tell-full-members.ts'
import { areAllUsersVisible } from '../users/user-audience.ts'
import { listUsers, type User } from '../users/user-rows.ts'
import { announceSightOfUsers } from '../users/user-sight.ts'
import { visibleUsers } from '../users/visible-users.ts'
import { realmProperty } from './realm-setting-rows.ts'

/**
 * Makes a change of the organization and tells what follows from it elsewhere: who is a full member, and
 * whom guests see.
 */
export function carryOutRealmChange<R>(tx: RealmTransaction, change: () => R): R {
  tellFullMembers(tx)
  const waitingPeriod = realmProperty(tx.sql, 'waiting_period_threshold')
  const fullBefore = fullMembers(tx)
  const allVisibleBefore = areAllUsersVisible(tx)
  const seenBefore = allVisibleBefore ? undefined : seenByGuests(tx)
  const result = change()
  announceFullMembers(tx, fullBefore, fullMembers(tx))
  if (realmProperty(tx.sql, 'waiting_period_threshold') !== waitingPeriod) awaitFullMembers(tx)
  if (allVisibleBefore !== areAllUsersVisible(tx)) announceSightOfGuests(tx, seenBefore)
  return result
}

/** `seenBefore`: undefined when they saw everybody. */
function announceSightOfGuests(tx: RealmTransaction, seenBefore: Map<number, User[]> | undefined): void {
  const users = listUsers(tx.sql)
  const seenAfter = areAllUsersVisible(tx) ? undefined : seenByGuests(tx)
  for (const guest of activeGuests(tx)) {
    announceSightOfUsers(tx, guest, seenBefore?.get(guest.id) ?? users, seenAfter?.get(guest.id) ?? users)
  }
}

function fullMembers(tx: RealmTransaction): number[] {
  const group = systemGroupId('role:fullmembers')
  return listUsers(tx.sql)
    .filter((user) => user.isActive && user.role === ROLES.member)
    .filter((user) => directSystemGroups(tx.sql, user, tx.now).includes(group))
    .map(({ id }) => id)
}

function announceFullMembers(
  tx: RealmTransaction,
  before: readonly number[],
  after: readonly number[],
): void {
  const tell = (op: 'add_members' | 'remove_members', ids: number[]) => {
    if (ids.length === 0) return
    const event: StoredUserGroupEvent = {
      type: 'user_group',
      op,
      group_id: systemGroupId('role:fullmembers'),
      user_ids: ids,
    }
    tx.emit(event, EVERYONE)
  }
  const had = new Set(before)
  const has = new Set(after)
  tell(
    'remove_members',
    before.filter((id) => !has.has(id)),
  )
  tell(
    'add_members',
    after.filter((id) => !had.has(id)),
  )
}

function seenByGuests(tx: RealmTransaction): Map<number, User[]> {
  const users = listUsers(tx.sql)
  return new Map(
    activeGuests(tx).map((guest) => [
      guest.id,
      visibleUsers(tx, { user: guest, actor: actorOf(tx.sql, guest, tx.now) }, users),
    ]),
  )
}

function activeGuests(tx: RealmTransaction): User[] {
  return listUsers(tx.sql).filter(({ isActive, role }) => isActive && role === ROLES.guest)
}
