import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import { findMessages } from '../../store/messages/message-rows.ts'
import { type Attachment, findAttachmentsAt, newestLinkingTo } from '../../store/uploads/attachment-rows.ts'
import { accessReader, type Viewer } from '../messages/read/message-access.ts'

/** Numbers of linking messages that are read at a time: most files have few, and most of their readers may read the newest. */
const PAGES = { first: 10, others: 100 } as const

/**
 * Whether the viewer may read a file: its owner, and everybody who may read one of the messages that link to
 * it, of the newest ones: `left` counts those that are still looked at. Its access follows those through moves, left channels and
 * deletions. Source: docs/interface/uploads.md#ones-files; docs/interface/access.md#messages.
 */
export function mayReadAttachment(
  { sql }: Pick<RealmView, 'sql'>,
  viewer: Viewer,
  attachment: Attachment,
  budget: { left: number } = { left: ENTRIES_AT_ONCE },
): boolean {
  if (attachment.ownerId === viewer.user.id) return true
  const access = accessReader({ sql }, viewer)
  let below = Number.MAX_SAFE_INTEGER
  let page: number = PAGES.first
  for (;;) {
    const limit = Math.min(page, budget.left)
    const ids = limit > 0 ? newestLinkingTo(sql, attachment.id, below, limit) : []
    if (ids.length === 0) return false
    budget.left -= ids.length
    const messages = findMessages(sql, ids)
    if (messages.some((message) => mayReadMessage(viewer.actor, access(message)))) return true
    below = ids.at(-1)!
    page = PAGES.others
  }
}

/**
 * Returns the uploads that a text links to and its author may read: a message makes only these readable to others. A
 * text may contain any address, so all others stay plain text. As many messages are read for all of them together as
 * for one.
 */
export function claimablePaths(
  view: Pick<RealmView, 'sql'>,
  author: Viewer,
  paths: readonly string[],
): string[] {
  if (paths.length === 0) return []
  const budget = { left: ENTRIES_AT_ONCE }
  return findAttachmentsAt(view.sql, paths)
    .filter((attachment) => mayReadAttachment(view, author, attachment, budget))
    .map(({ path }) => path)
}
