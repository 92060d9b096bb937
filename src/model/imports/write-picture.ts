import type { RealmTransaction } from '../../core/realm-transaction.ts'
import {
  deactivateCustomEmojiRow,
  findCustomEmojiNamed,
  insertCustomEmoji,
} from '../../store/emoji/custom-emoji-rows.ts'
import {
  type RealmImageName,
  readRealmImage,
  writeRealmSetting,
} from '../../store/realm/realm-setting-rows.ts'
import { changeUser, findUser } from '../../store/users/user-rows.ts'
import { enterImage } from '../images/reserve-image.ts'
import { hasRoomInOrganization } from '../quotas/within-quota.ts'
import { type ImportWork, noteTarget, targetOf } from './import-work.ts'
import type { PictureUse } from './picture-uses.ts'

/** A picture in the forms in which it is shown, whose addresses are reserved. */
export interface StoredPicture {
  readonly use: PictureUse
  readonly path: string
  /** Address of a still picture of an animated emoji. */
  readonly stillPath: string | null
}

/** Enters a stored picture, without an event: clients register anew at the end. One that is not wanted any more is removed after a day. */
export function enterPicture(
  tx: RealmTransaction,
  work: ImportWork,
  { use, path, stillPath }: StoredPicture,
): void {
  switch (use.kind) {
    case 'avatar':
      enterAvatar(tx, work, use.userId, path)
      return
    case 'icon':
    case 'logo':
    case 'night_logo':
      enterRealmPicture(tx, work, use.kind, path)
      return
    case 'emoji':
      enterEmoji(tx, work, use, path, stillPath)
  }
}

function enterAvatar(tx: RealmTransaction, { tally }: ImportWork, userId: number, path: string): void {
  const user = findUser(tx.sql, userId)
  // The user may have logged in meanwhile and chosen another.
  if (!user || user.avatarPath !== null) return
  enterImage(tx, path)
  changeUser(tx.sql, userId, { avatarSource: 'U', avatarPath: path, avatarVersion: user.avatarVersion + 1 })
  tally.count('written', 'pictures of people')
}

function enterRealmPicture(
  tx: RealmTransaction,
  { tally }: ImportWork,
  name: RealmImageName,
  path: string,
): void {
  const { path: present, version } = readRealmImage(tx.sql, name)
  if (present !== null) return
  enterImage(tx, path)
  writeRealmSetting(tx.sql, name, { path, version: version + 1 })
  tally.count('written', 'pictures of the organization')
}

function enterEmoji(
  tx: RealmTransaction,
  work: ImportWork,
  { id, name, authorId, isDeactivated }: Extract<PictureUse, { kind: 'emoji' }>,
  path: string,
  stillPath: string | null,
): void {
  const { sql } = tx
  if (targetOf(tx, work, 'emoji', id) !== undefined || findCustomEmojiNamed(sql, name)) return
  if (!hasRoomInOrganization(tx, 'emoji')) {
    work.tally.problem('no room for more emoji', name)
    return
  }
  enterImage(tx, path)
  insertCustomEmoji(sql, { name, path, stillPath, authorId })
  const emojiId = findCustomEmojiNamed(sql, name)!.id
  // Deactivated at once, the name is free again for the next of the same name.
  if (isDeactivated) deactivateCustomEmojiRow(sql, emojiId)
  noteTarget(tx, work, 'emoji', id, emojiId, 'custom emoji')
}
