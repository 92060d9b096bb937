import { toUsers } from '../../core/audience.ts'
import { PAGE_OF_ROWS } from '../../core/budgets.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { HOUR } from '../../core/time.ts'
import type { LinkingMessage, PresentedAttachment, StoredAttachmentEvent } from '../../events/attachment.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import { noteGoneFile } from '../../store/exports/collecting-rows.ts'
import { findMessages } from '../../store/messages/message-rows.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import {
  type Attachment,
  deleteAttachmentRow,
  type Link,
  newestLinks,
} from '../../store/uploads/attachment-rows.ts'
import { enqueueRemoval } from '../../store/uploads/removal-rows.ts'
import { bytesUnderWay } from '../../store/uploads/resumable-upload-rows.ts'
import { hasThumbnails, thumbnailsOf, uploadKey } from '../../store/uploads/upload-keys.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import { accessReader } from '../messages/read/message-access.ts'

/** Limits of the newest linking messages that are shown of a file: of one file, and of each of two hundred presented together. */
export const LINKS_SHOWN = { most: 32, least: 8 } as const

type Reads = Pick<RealmView, 'sql' | 'now'>

/**
 * Presents attachments, with ascending ids, to their owners, each with the newest linking messages that the owner may read: others may have
 * linked it where the owner cannot. `links`: the newest links, if the caller has them. Source: docs/interface/uploads.md#ones-files.
 */
export function presentAttachments(
  view: Reads,
  attachments: readonly Attachment[],
  links?: readonly Link[],
): PresentedAttachment[] {
  const messages = linkingMessages(view, attachments, links)
  return attachments.map((attachment) => ({
    id: attachment.id,
    name: attachment.name,
    path_id: attachment.path,
    size: attachment.size,
    create_time: attachment.createdAt,
    messages: messages.get(attachment.id) ?? [],
  }))
}

function linksOfEach(attachments: number): number {
  const { most, least } = LINKS_SHOWN
  return Math.max(Math.min(most, Math.floor(PAGE_OF_ROWS / attachments)), least)
}

/** Returns the messages by attachment, ascending. */
function linkingMessages(
  view: Reads,
  attachments: readonly Attachment[],
  known: readonly Link[] | undefined,
): Map<number, LinkingMessage[]> {
  const { sql } = view
  const all = attachments.map(({ id }) => id)
  const each = linksOfEach(attachments.length)
  const links = known ?? newestLinks(sql, all, { each, all: all.length * each })
  const owners = new Map(attachments.map(({ id, ownerId }) => [id, ownerId]))
  const ids = [...new Set(links.map(({ messageId }) => messageId))].sort((a, b) => a - b)
  const found = new Map(findMessages(sql, ids).map((message) => [message.id, message]))
  const readers = new Map<number, ReturnType<typeof readerOf>>()
  const byAttachment = new Map<number, LinkingMessage[]>()
  for (const { attachmentId, messageId } of links) {
    const ownerId = owners.get(attachmentId)
    const message = found.get(messageId)
    if (ownerId === undefined || !message) continue
    const mayRead = readers.get(ownerId) ?? readerOf(view, ownerId)
    readers.set(ownerId, mayRead)
    if (!mayRead(message)) continue
    const listed = byAttachment.get(attachmentId) ?? []
    listed.push({ id: messageId, date_sent: message.sentAt * 1_000 })
    byAttachment.set(attachmentId, listed)
  }
  return byAttachment
}

/** Returns a function that returns whether the owner may read a message. */
function readerOf({ sql, now }: Reads, ownerId: number) {
  const user = findUser(sql, ownerId)!
  const viewer = { user, actor: actorOf(sql, user, now) }
  const access = accessReader({ sql }, viewer)
  return (message: Parameters<typeof access>[0]) => mayReadMessage(viewer.actor, access(message))
}

/** Notifies the owners of changed uploads, with ascending ids. Source: docs/interface/events.md#events-about-what-is-ones-own. */
export function announceAttachments(
  tx: RealmTransaction,
  op: StoredAttachmentEvent['op'],
  attachments: readonly Attachment[],
): void {
  if (attachments.length === 0) return
  const upload_space_used = uploadSpaceUsed(tx.sql)
  const envelope = { type: 'attachment', upload_space_used } as const
  const events: StoredAttachmentEvent[] =
    op === 'remove'
      ? attachments.map(({ id }) => ({ ...envelope, op, attachment: { id } }))
      : presentAttachments(tx, attachments).map((attachment) => ({ ...envelope, op, attachment }))
  for (const [at, event] of events.entries()) tx.emit(event, toUsers(attachments[at]!.ownerId))
}

/** Returns the bytes of all uploads of the organization, a stored number: adding them up would read every row. */
export function uploadSpaceUsed(sql: Sql): number {
  return readMeta<number>(sql, 'upload_space_used') ?? 0
}

/** Returns the bytes that count against the quota, with those of unfinished uploads. */
export function uploadSpaceTaken(sql: Sql): number {
  return uploadSpaceUsed(sql) + bytesUnderWay(sql)
}

export function changeUploadSpaceUsed(sql: WritableSql, bytes: number): void {
  writeMeta(sql, 'upload_space_used', uploadSpaceUsed(sql) + bytes)
}

/** Limit of the seconds that it takes to make a smaller form of a picture. */
const MAKING_SECONDS = HOUR

/** Deletes an upload with its bytes, and notifies its owner. Links in messages stay. */
export function discardAttachment(tx: RealmTransaction, attachment: Attachment): void {
  removeAttachment(tx, attachment)
  announceAttachments(tx, 'remove', [attachment])
}

/** Deletes an upload with its bytes, without an event. */
export function removeAttachment(tx: RealmTransaction, attachment: Attachment): void {
  noteGoneFile(tx.sql)
  deleteAttachmentRow(tx.sql, attachment.id)
  changeUploadSpaceUsed(tx.sql, -attachment.size)
  const key = uploadKey(attachment.path)
  scheduleRemoval(tx, key, tx.now)
  // A smaller form that is being made now would be stored after the first removal.
  if (attachment.image && hasThumbnails(attachment.image)) {
    scheduleRemoval(tx, thumbnailsOf(key), tx.now + MAKING_SECONDS)
  }
}

/** Schedules the removal of a file from R2 at `dueAt` (UNIX seconds), which can be cancelled. */
export function scheduleRemoval(tx: RealmTransaction, key: string, dueAt: number): void {
  enqueueRemoval(tx.sql, key, dueAt)
  tx.schedule({ kind: 'remove-files', key: '', dueAt })
}
