import { ENTRIES_AT_ONCE, PAGE_OF_ROWS } from '../../core/budgets.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { ROLES } from '../../rules/roles.ts'
import { listCustomEmoji } from '../../store/emoji/custom-emoji-rows.ts'
import { idsAfter, messagesAfter } from '../../store/exports/collecting-rows.ts'
import { mediumPath, readImagePath } from '../../store/images/public-image.ts'
import { findMessages, type IndexedMessage } from '../../store/messages/message-rows.ts'
import { readStatusesOf } from '../../store/presence/presence-and-status-rows.ts'
import { type RealmImageName, readRealmImage, realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findAttachments, newestLinks } from '../../store/uploads/attachment-rows.ts'
import { findUsers, listSystemBots } from '../../store/users/user-rows.ts'
import { type PresentedMessage, presentMessages } from '../messages/read/present-message.ts'
import { presentStatusOf } from '../user-status/present-status.ts'
import { presentUser } from '../users/read/present-user.ts'
import { type ExportedPicture, type ExportSource, type ExportView, ROWS_PER_PAGE } from './export-source.ts'
import { channelsSource, subscriptionsSource, topicsSource } from './read-channels.ts'
import {
  manifestSource,
  organizationSource,
  personalSource,
  readerOf,
  userGroupsSource,
} from './read-organization.ts'

/** Users as administrators get them from GET /users, system bots included, without addresses hidden from them; and statuses. */
const usersSource: ExportSource = {
  name: 'users',
  read({ tx }, [after = 0]) {
    const ids = idsAfter(tx.sql, 'user', after, PAGE_OF_ROWS)
    const users = findUsers(tx.sql, ids)
    const members = ids.map((id) =>
      presentUser(users.get(id)!, {
        viewer: { id: 0, role: ROLES.administrator },
        realm: tx.realm,
        clientGravatar: false,
        includeProfileData: true,
      }),
    )
    const statuses = [...readStatusesOf(tx.sql, ids)].map(
      ([id, status]) => [id, presentStatusOf(false, status, false)] as const,
    )
    return {
      kind: 'json',
      content: members.length > 0 ? { user_status: Object.fromEntries(statuses), members } : null,
      next: ids.length < PAGE_OF_ROWS ? null : [ids.at(-1)!],
    }
  },
}

/** A picture has a few hundred kilobytes, and 5 MiB at most. */
const PICTURES_PER_PAGE = 20
const USERS_LOOKED_AT = 500
const REALM_IMAGES: readonly RealmImageName[] = ['icon', 'logo', 'night_logo']
/** The later parts of the source, as its cursor numbers them. */
const [EMOJI, PEOPLE] = [1, 2] as const

/** Pictures that can be loaded by address alone: the organization's, custom emoji, and avatars. */
const picturesSource: ExportSource = {
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
    return {
      kind: 'messages',
      messages: present(view, page),
      historyPolicy: realmProperty(tx.sql, 'message_edit_history_visibility_policy'),
      next: next === null ? null : [next],
    }
  },
}

/** Presents messages as a system bot sees them. A conversation between two gets its own id, since one side's would not identify it. */
function present({ tx, exported, scope }: ExportView, page: readonly IndexedMessage[]): PresentedMessage[] {
  const reader = readerOf(tx, listSystemBots(tx.sql)[0]!, exported)
  const presented = presentMessages(tx, reader, page, {
    clientGravatar: false,
    allowEmptyTopic: true,
    couldRead: (_id, [leaving]) => scope.includesStay(leaving!.prevChannelId!),
  })
  return presented.map((message, index) => {
    const { recipientId } = page[index]!
    return recipientOf(recipientId).kind === 'channel'
      ? message
      : { ...message, facts: { ...message.facts, recipient_id: recipientId } }
  })
}

const UPLOADS_PER_PAGE = 100

/** Uploads to which messages of the export link, with the newest of these messages. */
export const uploadsSource: ExportSource = {
  name: 'attachments',
  read({ tx, exported, scope }, [after = 0]) {
    const ids = idsAfter(tx.sql, 'attachment', after, UPLOADS_PER_PAGE)
    // One more than an upload can have, so that each page has at least one whole upload.
    const all = ENTRIES_AT_ONCE + 1
    const links = newestLinks(tx.sql, ids, {
      each: ENTRIES_AT_ONCE,
      all,
      upTo: exported.newestMessageId,
    })
    const end = links.length === all ? links.at(-1)!.attachmentId : Number.POSITIVE_INFINITY
    const read = ids.filter((id) => id < end)
    const byUpload = Map.groupBy(links, ({ attachmentId }) => attachmentId)
    const uploads = findAttachments(tx.sql, read).flatMap((attachment) => {
      const linking = (byUpload.get(attachment.id) ?? []).map(({ messageId }) => messageId)
      const messages = findMessages(tx.sql, linking)
        .filter((message) => scope.includesMessage(message))
        .map(({ id, sentAt }) => ({ id, date_sent: sentAt * 1_000 }))
      return messages.length > 0 ? [{ attachment, messages }] : []
    })
    const isLast = read.length === ids.length && ids.length < UPLOADS_PER_PAGE
    return { kind: 'uploads', uploads, next: isLast ? null : [read.at(-1)!] }
  },
}

/** The sources of an archive, in its order (docs/export.md). The uploads come last. */
export const EXPORT_SOURCES: readonly ExportSource[] = [
  manifestSource,
  organizationSource,
  picturesSource,
  usersSource,
  userGroupsSource,
  channelsSource,
  subscriptionsSource,
  topicsSource,
  messagesSource,
  personalSource,
  uploadsSource,
]
