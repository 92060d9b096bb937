import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../events/realm-user.ts'
import { isGuest } from '../../permissions/roles.ts'
import { actorOf } from '../caller.ts'
import { isAvatarComputable } from './avatar.ts'
import { UNKNOWN_USER_NAME } from './present-unknown-user.ts'
import { presentUser } from './present-user.ts'
import { areAllUsersVisible } from './user-audience.ts'
import { findUsers, type User } from './user-rows.ts'
import { visibleUsers } from './visible-users.ts'

/**
 * For a change that may bring guests and others among these users into one conversation, or part them. To
 * be called before it; the answer, called after it, tells the guests whom they see now, and whom no more.
 */
export function watchSightAmong(tx: RealmTransaction, userIds: readonly number[]): () => void {
  if (areAllUsersVisible(tx)) return () => {}
  const people = [...findUsers(tx.sql, [...new Set(userIds)]).values()]
  const seenBy = (guest: User) =>
    visibleUsers(tx, { user: guest, actor: actorOf(tx.sql, guest, tx.now) }, people)
  const guests = people.filter(isGuest).map((guest) => ({ guest, before: seenBy(guest) }))
  return () => {
    for (const { guest, before } of guests) announceSightOfUsers(tx, guest, before, seenBy(guest))
  }
}

/** Tells a viewer of the people that a change brought into sight, and of those it took away. */
export function announceSightOfUsers(
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
