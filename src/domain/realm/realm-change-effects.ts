import { EVERYONE } from '../../core/audience.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredUserGroupEvent } from '../../events/user-group.ts'
import { isFullMember, ROLES } from '../../permissions/roles.ts'
import { systemGroupId } from '../../permissions/system-groups.ts'
import { actorOf } from '../caller.ts'
import { announceFullMembers, rescheduleFullMembers } from '../user-groups/announce-full-members.ts'
import { listActive } from '../users/active-user-rows.ts'
import { listUsers, type User } from '../users/user-rows.ts'
import { areAllUsersVisible } from '../users/visibility/user-audience.ts'
import { visibleUsers } from '../users/visibility/visible-users.ts'
import { announceVisibleUsers } from '../visibility/users-that-a-user-sees.ts'
import { realmProperty } from './realm-setting-rows.ts'

/**
 * Makes a change of the organization and emits its consequences: changes of full members, and of whom guests
 * see.
 */
export function carryOutRealmChange<R>(tx: RealmTransaction, change: () => R): R {
  announceFullMembers(tx)
  const waitingPeriod = realmProperty(tx.sql, 'waiting_period_threshold')
  const allVisibleBefore = areAllUsersVisible(tx)
  const seenBefore = allVisibleBefore ? undefined : seenByGuests(tx)
  const result = change()
  const newPeriod = realmProperty(tx.sql, 'waiting_period_threshold')
  if (newPeriod !== waitingPeriod) {
    announceChangeOfFullMembers(tx, fullMembers(tx, waitingPeriod), fullMembers(tx, newPeriod))
    rescheduleFullMembers(tx)
  }
  if (allVisibleBefore !== areAllUsersVisible(tx)) announceVisibleUsersToGuests(tx, seenBefore)
  return result
}

/** Notifies guests of users who become visible or hidden. `seenBefore`: undefined when they saw everybody. */
function announceVisibleUsersToGuests(
  tx: RealmTransaction,
  seenBefore: Map<number, User[]> | undefined,
): void {
  const users = listUsers(tx.sql)
  const seenAfter = areAllUsersVisible(tx) ? undefined : seenByGuests(tx)
  for (const guest of activeGuests(tx)) {
    announceVisibleUsers(tx, guest, seenBefore?.get(guest.id) ?? users, seenAfter?.get(guest.id) ?? users)
  }
}

/** Returns the members who are full ones if accounts have to be `days` days old. */
function fullMembers(tx: RealmReads, days: number): number[] {
  return listActive(tx.sql)
    .filter((user) => user.role === ROLES.member && isFullMember(user, tx.now - user.joinedAt, days))
    .map(({ id }) => id)
}

function announceChangeOfFullMembers(
  tx: RealmTransaction,
  before: readonly number[],
  after: readonly number[],
): void {
  const emit = (op: 'add_members' | 'remove_members', ids: number[]) => {
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
  emit(
    'remove_members',
    before.filter((id) => !has.has(id)),
  )
  emit(
    'add_members',
    after.filter((id) => !had.has(id)),
  )
}

function seenByGuests(tx: RealmReads): Map<number, User[]> {
  const users = listUsers(tx.sql)
  return new Map(
    activeGuests(tx).map((guest) => [
      guest.id,
      visibleUsers(tx, { user: guest, actor: actorOf(tx.sql, guest, tx.now) }, users),
    ]),
  )
}

function activeGuests(tx: RealmReads): User[] {
  return listUsers(tx.sql).filter(({ isActive, role }) => isActive && role === ROLES.guest)
}
