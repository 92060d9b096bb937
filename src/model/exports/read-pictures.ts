import { listCustomEmoji } from '../../store/emoji/custom-emoji-rows.ts'
import { idsAfter } from '../../store/exports/export-page-rows.ts'
import { mediumPath, readImagePath } from '../../store/images/public-image.ts'
import { type RealmImageName, readRealmImage } from '../../store/realm/realm-setting-rows.ts'
import { findUsers } from '../../store/users/user-rows.ts'
import type { ExportedPicture, ExportSource } from './export-source.ts'

/** Each has some hundred kilobytes, and 5 MiB at most. */
const PICTURES_PER_PAGE = 20
const USERS_LOOKED_AT = 500
const REALM_IMAGES: readonly RealmImageName[] = ['icon', 'logo', 'night_logo']
/** The parts of the source, as its cursor has them. */
const [EMOJI, PEOPLE] = [1, 2] as const

/** Pictures that can be loaded by their addresses alone: the organization's, custom emoji, and avatars. */
export const picturesSource: ExportSource = {
  name: 'pictures',
  read({ tx: { sql } }, [part = 0, after = 0]) {
    if (part === 0) {
      const pictures = REALM_IMAGES.flatMap((kind) => pictureAt(readRealmImage(sql, kind).path, { kind }))
      return { kind: 'pictures', pictures, next: [EMOJI, 0] }
    }
    if (part === EMOJI) {
      const emoji = listCustomEmoji(sql)
        .filter(({ id }) => id > after)
        .slice(0, PICTURES_PER_PAGE)
      const pictures = emoji.flatMap(({ id, path }) => pictureAt(path, { kind: 'emoji', emoji_id: id }))
      return { kind: 'pictures', pictures, next: emoji.length > 0 ? [EMOJI, emoji.at(-1)!.id] : [PEOPLE, 0] }
    }
    const ids = idsAfter(sql, 'user', after, USERS_LOOKED_AT)
    const users = findUsers(sql, ids)
    const pictures: ExportedPicture[] = []
    let last = after
    for (const id of ids) {
      if (pictures.length === PICTURES_PER_PAGE) break
      const path = users.get(id)!.avatarPath
      pictures.push(...pictureAt(path === null ? null : mediumPath(path), { kind: 'avatar', user_id: id }))
      last = id
    }
    const isLast = last === (ids.at(-1) ?? after) && ids.length < USERS_LOOKED_AT
    return { kind: 'pictures', pictures, next: isLast ? null : [PEOPLE, last] }
  },
}

/** Returns the picture at an address; nothing for one that is not here. */
function pictureAt(address: string | null, facts: ExportedPicture['facts']): ExportedPicture[] {
  const file = address === null ? undefined : readImagePath(address)
  return file ? [{ facts, keys: file.keys, contentType: file.contentType, name: nameOf(address!) }] : []
}

/** Returns the name of a picture's file in the archive. */
function nameOf(address: string): string {
  return address.replace(/^\/user_avatars\//, '')
}
