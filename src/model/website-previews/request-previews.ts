import type { RealmTransaction } from '../../core/realm-transaction.ts'
import {
  countPreviewRequestsOf,
  enqueuePreviewRequest,
} from '../../store/website-previews/preview-request-rows.ts'
import type { Composition } from '../messages/send/compose.ts'

/** The job that looks at websites. */
export const PREVIEW_WEBSITES = 'preview-websites'

/**
 * Number of pending messages of one user. A user who sends faster than websites answer gets no previews for a
 * while.
 */
const MAX_WAITING = 20

/** Requests previews of the websites to which a stored message links and that have not been looked at. */
export function requestPreviews(
  tx: RealmTransaction,
  messageId: number,
  { author, rendered, webOrigin }: Composition,
): void {
  if (rendered.unseenWebsites.length === 0) return
  if (countPreviewRequestsOf(tx.sql, author.user.id) >= MAX_WAITING) return
  enqueuePreviewRequest(tx.sql, { messageId, senderId: author.user.id, origin: webOrigin, dueAt: tx.now })
  tx.schedule({ kind: PREVIEW_WEBSITES, key: '', dueAt: tx.now })
}
