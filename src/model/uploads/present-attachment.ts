import { PAGE_OF_ROWS } from '../../core/budgets.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import type { LinkingMessage, PresentedAttachment } from '../../events/attachment.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import { findMessages } from '../../store/messages/message-rows.ts'
import { type Attachment, type Link, newestLinks } from '../../store/uploads/attachment-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import { accessReader } from '../messages/read/message-access.ts'

/** Limits of the newest linking messages that are shown of a file: of one file, and of each of two hundred presented together. */
export const LINKS_SHOWN = { most: 32, least: 8 } as const

type Reads = Pick<RealmView, 'sql' | 'now'>

/**
 * Presents attachments, with ascending ids, to their owners, each with the newest linking messages that the owner may read:
 * others may have linked it where the owner cannot. `links`: the newest links, if the caller has them. Source:
 * docs/interface/uploads.md#ones-files.
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

/** Returns the number of messages shown of each attachment. */
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
