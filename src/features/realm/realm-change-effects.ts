import { EVERYONE } from '../../core/audience.ts'
import { SEEN_ANEW_IN_EVENTS } from '../../core/budgets.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { usersWithQueue } from '../../events/queue.ts'
import type { StoredUserGroupEvent } from '../../events/user-group.ts'
import { announceFullMembers, rescheduleFullMembers } from '../../model/user-groups/announce-full-members.ts'
import { endQueuesOf } from '../../model/users/login/end-sessions.ts'
import { areAllUsersVisible } from '../../model/users/visibility/user-audience.ts'
import { announceUsers, changeOf } from '../../model/visibility/users-that-a-user-sees.ts'
import { isFullMember, ROLES } from '../../rules/roles.ts'
import { systemGroupId } from '../../rules/system-groups.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { activeGuests, people } from '../../store/users/account-set-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { listActive } from '../../store/users/user-summary-rows.ts'
import { sharersOf } from '../../store/users/visibility/shared-conversation-rows.ts'

/**
 * Makes a change of the organization and emits its consequences: changes of full members, and of whom guests
 * see.
 */
export function carryOutRealmChange<R>(tx: RealmTransaction, change: () => R): R {
  announceFullMembers(tx)
  const waitingPeriod = realmProperty(tx.sql, 'waiting_period_threshold')
  const allVisibleBefore = areAllUsersVisible(tx)
  const result = change()
  const newPeriod = realmProperty(tx.sql, 'waiting_period_threshold')
  if (newPeriod !== waitingPeriod) {
    announceChangeOfFullMembers(tx, fullMembers(tx, waitingPeriod), fullMembers(tx, newPeriod))
    rescheduleFullMembers(tx)
  }
  if (allVisibleBefore !== areAllUsersVisible(tx)) announceUsersToGuests(tx)
  return result
}

/** Notifies guests of the users whom they now see without sharing a channel with them, or no longer see. */
function announceUsersToGuests(tx: RealmTransaction): void {
  const all = people(tx.sql)
  const isAllVisible = areAllUsersVisible(tx)
  const until = tx.sql.counts.read + SEEN_ANEW_IN_EVENTS.rows
  const tooMany: number[] = []
  for (const id of usersWithQueue(tx.sql, activeGuests(tx.sql).toArray())) {
    if (tx.sql.counts.read >= until) {
      tooMany.push(id)
      continue
    }
    const sharers = sharersOf(tx.sql, id).and(all)
    const change = isAllVisible ? changeOf(sharers, all) : changeOf(all, sharers)
    announceUsers(tx, findUser(tx.sql, id)!, change)
  }
  endQueuesOf(tx, tooMany)
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
