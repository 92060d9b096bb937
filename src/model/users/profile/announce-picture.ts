import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../../events/realm-user.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { userAudience } from '../visibility/user-audience.ts'
import { avatarUrl } from './avatar.ts'

/** Announces the address of a user's picture to everybody who may know of the user, if it is another one than before. */
export function announcePicture(tx: RealmTransaction, before: User, user: User): void {
  const url = avatarUrl(user, tx.realm)
  if (avatarUrl(before, tx.realm) === url) return
  const event: StoredRealmUserEvent = {
    type: 'realm_user',
    op: 'update',
    person: {
      user_id: user.id,
      avatar_source: user.avatarSource,
      avatar_url: url,
      avatar_url_medium: avatarUrl(user, tx.realm, 'medium'),
      avatar_version: user.avatarVersion,
    },
  }
  tx.emit(event, userAudience(tx, user))
}
