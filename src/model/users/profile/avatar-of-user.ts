import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { changeUser, findUser, type User } from '../../../store/users/user-rows.ts'
import { announceBotChange } from '../../bots/announce-bot.ts'
import { retireImage } from '../../images/reserve-image.ts'
import { announcePicture } from './announce-picture.ts'
import { avatarUrl } from './avatar.ts'

/**
 * Changes the picture, removes the old one, and notifies everybody who may know of the user. Returns its
 * address.
 */
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
