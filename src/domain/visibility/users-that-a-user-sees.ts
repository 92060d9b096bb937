import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../events/realm-user.ts'
import { isGuest } from '../../permissions/roles.ts'
import { actorOf } from '../caller.ts'
import { isAvatarComputable } from '../users/profile/avatar.ts'
import { presentUser } from '../users/read/present-user.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import { UNKNOWN_USER_NAME } from '../users/visibility/present-unknown-user.ts'
import { areAllUsersVisible } from '../users/visibility/user-audience.ts'
import { visibleUsers } from '../users/visibility/visible-users.ts'

/**
 * Makes a change that may give guests and others among these users a conversation in common, or take it away;
 * then notifies the guests of the users who have become visible or hidden to them. Returns what the change
 * returns.
 */
export function withUserVisibilityEvents<R>(
  tx: RealmTransaction,
  userIds: readonly number[],
  change: () => R,
): R {
  if (areAllUsersVisible(tx)) return change()
  const people = [...findUsers(tx.sql, [...new Set(userIds)]).values()]
  const seenBy = (guest: User) =>
    visibleUsers(tx, { user: guest, actor: actorOf(tx.sql, guest, tx.now) }, people)
  const guests = people.filter(isGuest).map((guest) => ({ guest, before: seenBy(guest) }))
  const result = change()
  for (const { guest, before } of guests) announceVisibleUsers(tx, guest, before, seenBy(guest))
  return result
}

/**
 * Notifies a viewer of the users who have become visible to them by a change, and of those who no longer are.
 */
export function announceVisibleUsers(
  tx: RealmTransaction,
  viewer: User,
  before: readonly User[],
  after: readonly User[],
): void {
  for (const user of without(after, before)) {
    const event: StoredRealmUserEvent = {
      type: 'realm_user',
      op: 'add',
      person: presentUser(user, { viewer, realm: tx.realm, clientGravatar: false, includeProfileData: true }),
      avatar_computable: isAvatarComputable(user),
    }
    tx.emit(event, toUsers(viewer.id))
  }
  for (const user of without(before, after)) {
    const event: StoredRealmUserEvent = {
      type: 'realm_user',
      op: 'remove',
      person: { user_id: user.id, full_name: UNKNOWN_USER_NAME },
    }
    tx.emit(event, toUsers(viewer.id))
  }
}

function without(users: readonly User[], others: readonly User[]): User[] {
  const ids = new Set(others.map(({ id }) => id))
  return users.filter(({ id }) => !ids.has(id))
}
