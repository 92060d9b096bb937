import { ENTRIES_AT_ONCE } from '../../../core/budgets.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { mayReadMessage } from '../../../rules/message-rules.ts'
import { findMessages } from '../../../store/messages/message-rows.ts'
import {
  type Attachment,
  findAttachmentsAt,
  newestLinkingTo,
} from '../../../store/uploads/attachment-rows.ts'
import { accessReader, type Viewer } from './message-access.ts'

/** Numbers of linking messages read at a time: most files have few, and most readers may read the newest. */
const PAGES = { first: 10, others: 100 } as const

/**
 * Whether the viewer may read a file: as its owner, or because they may read one of the newest messages that link to it now. `left`: how
 * many messages may still be checked. Source: docs/interface/uploads.md#ones-files; docs/interface/access.md#messages.
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
 * Returns the paths of a text that its author may read: a message makes only these uploads readable to others, since a text
 * may contain any address. As many messages are checked for all paths together as for one file.
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
