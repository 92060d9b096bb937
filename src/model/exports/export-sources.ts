import { listCustomEmoji } from '../../store/emoji/custom-emoji-rows.ts'
import { idsAfter, messagesAfter } from '../../store/exports/collecting-rows.ts'
import { readImagePath } from '../../store/images/public-image.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { readRealmImage, realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { attachmentsLinkedFrom, findAttachments } from '../../store/uploads/attachment-rows.ts'
import { findUsers, listSystemBots } from '../../store/users/user-rows.ts'
import { callerOf } from '../caller.ts'
import { type PresentedMessage, presentMessages } from '../messages/read/present-message.ts'
import {
  type ExportedPicture,
  type ExportSource,
  type ExportView,
  isOwnHost,
  ROWS_PER_PAGE,
} from './export-source.ts'
import { idOfAvatar, idOfEmojiPicture, REALM_IMAGES } from './organization-records.ts'
import { channelsSource } from './read-channels.ts'
import { groupsSource, organizationSource } from './read-organization.ts'
import { pictureOf, usersSource } from './read-people.ts'
import { personalSource } from './read-personal.ts'
import { uploadsSource } from './read-uploads.ts'

/** A picture has a few hundred kilobytes, and 5 MiB at most. */
const PICTURES_PER_PAGE = 20
const USERS_LOOKED_AT = 500
/** The later parts of the source, as its cursor numbers them. */
const [EMOJI, PEOPLE] = [1, 2] as const

/** Pictures that can be loaded by address alone: the organization's, custom emoji, and avatars. */
const picturesSource: ExportSource = {
  name: 'pictures',
  read({ tx: { sql } }, [part = 0, after = 0]) {
    if (part === 0) {
      const pictures = REALM_IMAGES.flatMap((kind) =>
        pictureAt(readRealmImage(sql, kind).path, { id: kind, name: kind }),
      )
      return { kind: 'pictures', pictures, next: [EMOJI, 0] }
    }
    if (part === EMOJI) {
      const emoji = listCustomEmoji(sql)
        .filter(({ id }) => id > after)
        .slice(0, PICTURES_PER_PAGE)
      const pictures = emoji.flatMap(({ id, path, name }) =>
        pictureAt(path, { id: idOfEmojiPicture(id), name: path.split('/').at(-1) || name }),
      )
      return { kind: 'pictures', pictures, next: emoji.length > 0 ? [EMOJI, emoji.at(-1)!.id] : [PEOPLE, 0] }
    }
    const ids = idsAfter(sql, 'user', after, USERS_LOOKED_AT)
    const users = findUsers(sql, ids)
    const pictures: ExportedPicture[] = []
    let last = after
    for (const id of ids) {
      if (pictures.length === PICTURES_PER_PAGE) break
      const record = { id: idOfAvatar(id), name: 'avatar', owner: String(id) }
      pictures.push(...pictureAt(pictureOf(users.get(id)!), record))
      last = id
    }
    const isLast = last === (ids.at(-1) ?? after) && ids.length < USERS_LOOKED_AT
    return { kind: 'pictures', pictures, next: isLast ? null : [PEOPLE, last] }
  },
}

/** Returns the picture at an address; nothing for one that is not here. */
function pictureAt(
  address: string | null,
  record: { readonly id: string; readonly name: string; readonly owner?: string },
): ExportedPicture[] {
  const file = address === null ? undefined : readImagePath(address)
  if (!file) return []
  const path = `pictures/${address!.replace(/^\/user_avatars\//, '')}`
  return [{ record: { type: 'file', ...record, path }, keys: file.keys }]
}

/** Numbers of messages of a page, and of those that are looked at for it, roughly. */
const MESSAGES_PER_PAGE = 150
const LOOKED_AT = 2_000
/** Number of them that are read together. */
const READ_TOGETHER = 25

/** Messages up to the newest one of the start, oldest first. */
export const messagesSource: ExportSource = {
  name: 'messages',
  read(view, [after = 0]) {
    const { tx, exported, scope } = view
    const page: IndexedMessage[] = []
    let next: number | null = after
    const before = tx.sql.counts.read
    const isFull = (looked: number) =>
      page.length >= MESSAGES_PER_PAGE || looked >= LOOKED_AT || tx.sql.counts.read - before >= ROWS_PER_PAGE
    for (let looked = 0; next !== null && !isFull(looked); ) {
      const read = messagesAfter(tx.sql, next, exported.newestMessageId, READ_TOGETHER)
      for (const message of read) {
        // Each may be the first of its channel.
        if (isFull(looked)) break
        if (scope.includesMessage(message)) page.push(message)
        looked += 1
        next = message.id
      }
      if (read.length < READ_TOGETHER && (read.length === 0 || next === read.at(-1)!.id)) next = null
    }
    const files = attachmentsLinkedFrom(
      tx.sql,
      page.map(({ id }) => id),
    )
    const linked = new Set(findAttachments(tx.sql, files).map(({ path }) => path))
    return {
      kind: 'messages',
      messages: present(view, page),
      referable: { isOwn: isOwnHost(view), hasFile: (path) => linked.has(path) },
      historyPolicy: realmProperty(tx.sql, 'message_edit_history_visibility_policy'),
      next: next === null ? null : [next],
    }
  },
}

/** Presents messages as a system bot sees them. */
function present({ tx, exported, scope }: ExportView, page: readonly IndexedMessage[]): PresentedMessage[] {
  const source = { origin: exported.origin, userAgent: '', ip: '' }
  const reader = callerOf(tx.sql, listSystemBots(tx.sql)[0]!, source, tx.now)
  return presentMessages(tx, reader, page, {
    clientGravatar: false,
    allowEmptyTopic: true,
    couldRead: (_id, [leaving]) => scope.includesStay(leaving!.prevChannelId!),
  })
}

/** The sources of an archive, in its order (docs/export.md). The uploads come last. */
export const EXPORT_SOURCES: readonly ExportSource[] = [
  organizationSource,
  picturesSource,
  usersSource,
  groupsSource,
  channelsSource,
  messagesSource,
  personalSource,
  uploadsSource,
]
