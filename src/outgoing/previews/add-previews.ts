import type { MessageBody } from '../../core/message-bodies.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredUpdateMessageEvent } from '../../events/message-changes.ts'
import type { RenderedMarkdown } from '../../markdown/render.ts'
import { callerOf } from '../../model/caller.ts'
import { composeEdit } from '../../model/editing/edit-content.ts'
import { flagGroups } from '../../model/editing/move/move-audience.ts'
import { actionAudience } from '../../model/messages/read/action-audience.ts'
import { pageAddress } from '../../model/messages/text/render-text.ts'
import { findMessage, type IndexedMessage } from '../../store/messages/message-rows.ts'
import { renderedAgainInIndex } from '../../store/messages/move/topic-message-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import {
  finishPreviewRequest,
  nextPreviewRequestAt,
  type PreviewRequest,
} from '../../store/website-previews/website-preview-rows.ts'

/** Returns the addresses of the pages to fetch for a message; none when the previews are no longer needed. */
export function pagesToSee(tx: RealmReads, request: PreviewRequest, body: MessageBody | undefined): string[] {
  const unseen = renderAgain(tx, request, body)?.rendered.unseenWebsites ?? []
  return [...new Set(unseen.map(pageAddress))]
}

/**
 * Adds the previews to a message whose body still is `body`; an edit has requested its own previews. Source:
 * docs/interface/messages.md#events-of-an-edit.
 */
export function addPreviews(
  tx: RealmTransaction,
  request: PreviewRequest,
  body: MessageBody | undefined,
): void {
  const again = renderAgain(tx, request, body)
  endPreviewRequest(tx, request)
  if (!again || !body || again.rendered.html === body.renderedContent) return
  const { message, rendered } = again
  renderedAgainInIndex(tx.sql, message.id)
  tx.writeToD1({
    statement: 'replace-rendering',
    row: [message.id, body.version + 1, body.content, rendered.html, JSON.stringify(body.editHistory)],
  })
  const event: StoredUpdateMessageEvent = {
    type: 'update_message',
    user_id: null,
    edit_timestamp: Math.floor(tx.now),
    message_id: message.id,
    message_ids: [message.id],
    rendering_only: true,
    flags: flagGroups(tx, message),
    content: body.content,
    rendered_content: rendered.html,
  }
  tx.emit(event, actionAudience(tx, message))
}

export function endPreviewRequest(tx: RealmTransaction, request: PreviewRequest): void {
  finishPreviewRequest(tx.sql, request)
  if (nextPreviewRequestAt(tx.sql) === undefined) tx.unschedule({ kind: 'preview-websites', key: '' })
}

/** Renders a message again as its sender, in its present channel or conversation. Undefined when `body` is out of date. */
function renderAgain(
  tx: RealmReads,
  { messageId, origin }: PreviewRequest,
  body: MessageBody | undefined,
): { message: IndexedMessage; rendered: RenderedMarkdown } | undefined {
  const message = findMessage(tx.sql, messageId)
  if (!message || message.version !== body?.version) return undefined
  if (!realmProperty(tx.sql, 'inline_url_embed_preview')) return undefined
  const sender = findUser(tx.sql, message.senderId)!
  const caller = callerOf(tx.sql, sender, { origin, userAgent: '', ip: '' }, tx.now)
  const pictures = { linkedFrom: messageId }
  return { message, rendered: composeEdit(tx, caller, message, body.content, pictures).rendered }
}
