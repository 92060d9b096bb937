import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../events/realm-user.ts'
import { isAvatarComputable } from './avatar.ts'
import { UNKNOWN_USER_NAME } from './present-unknown-user.ts'
import { presentUser } from './present-user.ts'
import type { User } from './user-rows.ts'

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
