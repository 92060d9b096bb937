import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY, HOUR } from '../../core/time.ts'
import type { WebsitePreview } from '../../markdown/render.ts'
import {
  countPreviewRequestsOf,
  deleteExpiredWebsites,
  enqueuePreviewRequest,
  hasSeenWebsites,
  putSeenWebsite,
} from '../../store/website-previews/website-preview-rows.ts'
import type { Composition } from '../messages/text/compose.ts'

/** Limit of a user's pending messages. A user who sends faster than websites answer gets no previews for a while. */
const MAX_WAITING = 20

/** Requests previews of the websites that a stored message links to and that were not fetched lately. */
export function requestPreviews(
  tx: RealmTransaction,
  messageId: number,
  { author, rendered, webOrigin }: Composition,
): void {
  if (rendered.unseenWebsites.length === 0) return
  if (countPreviewRequestsOf(tx.sql, author.user.id) >= MAX_WAITING) return
  enqueuePreviewRequest(tx.sql, { messageId, senderId: author.user.id, origin: webOrigin, dueAt: tx.now })
  tx.schedule({ kind: 'preview-websites', key: '', dueAt: tx.now })
}

const KEPT_SECONDS = 7 * DAY
/** Seconds for which a page without a preview is kept: it may only be out of order. */
const KEPT_EMPTY_SECONDS = HOUR

/** Stores the previews by address; null for a page without one. */
export function rememberWebsites(
  tx: RealmTransaction,
  seen: ReadonlyMap<string, WebsitePreview | null>,
): void {
  for (const [address, preview] of seen) {
    putSeenWebsite(tx.sql, address, preview, tx.now + (preview ? KEPT_SECONDS : KEPT_EMPTY_SECONDS))
  }
  if (seen.size > 0) tx.schedule({ kind: 'forget-websites', key: '', dueAt: tx.now + DAY })
}

/** Deletes expired websites, once a day while there are any. Returns when to continue. */
export function forgetOldWebsites(tx: RealmTransaction): number | undefined {
  deleteExpiredWebsites(tx.sql, tx.now)
  return hasSeenWebsites(tx.sql) ? tx.now + DAY : undefined
}
