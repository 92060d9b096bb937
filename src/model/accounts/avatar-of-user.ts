import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { changeUser, findUser, type User } from '../../store/users/user-rows.ts'
import { announceBotChange } from '../bots/announce-bot.ts'
import { retireImage } from '../images/reserve-image.ts'
import { avatarUrl } from '../users/profile/avatar.ts'
import { emitUserChange } from '../users/visibility/emit-user-change.ts'

/** Changes the picture, removes the old one, and notifies everybody who may know of the user. Returns the new address. */
export function changeAvatarOf(tx: RealmTransaction, user: User, path: string | null): string {
  if (user.avatarPath !== null) retireImage(tx, user.avatarPath)
  changeUser(tx.sql, user.id, {
    avatarSource: path === null ? 'G' : 'U',
    avatarPath: path,
    avatarVersion: user.avatarVersion + 1,
  })
  const changed = findUser(tx.sql, user.id)!
  const url = avatarUrl(changed, tx.realm)
  announcePicture(tx, user, changed)
  announceBotChange(tx, changed, { avatar_url: url })
  return url
}

/** Announces the address of a user's picture, if it has changed. */
export function announcePicture(tx: RealmTransaction, before: User, user: User): void {
  const url = avatarUrl(user, tx.realm)
  if (avatarUrl(before, tx.realm) === url) return
  emitUserChange(tx, user, {
    avatar_source: user.avatarSource,
    avatar_url: url,
    avatar_url_medium: avatarUrl(user, tx.realm, 'medium'),
    avatar_version: user.avatarVersion,
  })
}
