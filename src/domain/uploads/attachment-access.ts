import type { RealmView } from '../../core/realm-transaction.ts'
import { mayReadMessage } from '../../permissions/message-rules.ts'
import { findMessages } from '../messages/message-rows.ts'
import { accessReader, type Viewer } from '../messages/read/message-access.ts'
import { type Attachment, findAttachmentsAt, messagesLinkingTo } from './attachment-rows.ts'

/** Number of linking messages that are read at a time. */
const PAGE = 100

/**
 * Whether the viewer may read a file: its owner, and everybody who may read one of the messages that link to
 * it. Its access follows those through moves, left channels and deletions. Source:
 * docs/interface/uploads.md#ones-files; docs/interface/access.md#messages.
 */
export function mayReadAttachment(
  { sql }: Pick<RealmView, 'sql'>,
  viewer: Viewer,
  attachment: Attachment,
): boolean {
  if (attachment.ownerId === viewer.user.id) return true
  const access = accessReader({ sql }, viewer)
  // The newest first, from which most readers come.
  const ids = messagesLinkingTo(sql, attachment.id).reverse()
  for (let from = 0; from < ids.length; from += PAGE) {
    const messages = findMessages(sql, ids.slice(from, from + PAGE))
    if (messages.some((message) => mayReadMessage(viewer.actor, access(message)))) return true
  }
  return false
}

/**
 * Returns the uploads that a text links to and its author may read: only these does a message make readable
 * to others. Anybody may write any address, so the rest is plain text.
 */
export function claimablePaths(
  view: Pick<RealmView, 'sql'>,
  author: Viewer,
  paths: readonly string[],
): string[] {
  if (paths.length === 0) return []
  return findAttachmentsAt(view.sql, paths)
    .filter((attachment) => mayReadAttachment(view, author, attachment))
    .map(({ path }) => path)
}
