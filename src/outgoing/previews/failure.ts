import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { DeadLetterPayload } from '../../store/dead-letters/dead-letter-rows.ts'
import { findMessage } from '../../store/messages/message-rows.ts'
import {
  enqueuePreviewRequest,
  type PreviewRequest,
} from '../../store/website-previews/website-preview-rows.ts'
import { addDeadLetter } from '../add-dead-letter.ts'
import { endPreviewRequest } from './add-previews.ts'

/** Gives up the previews of a message. Owners may retry them. */
export function giveUpPreviews(tx: RealmTransaction, request: PreviewRequest, reason: string): void {
  endPreviewRequest(tx, request)
  addDeadLetter(tx, {
    kind: 'preview',
    description: `Previews of the websites in message ${request.messageId}`,
    firstTriedAt: null,
    attempts: request.attempts,
    error: reason,
    payload: { message: request.messageId, origin: request.origin },
  })
}

/** Requests the previews again, if the message still exists. */
export function retryPreviews(tx: RealmTransaction, { message, origin }: DeadLetterPayload): void {
  const found = findMessage(tx.sql, Number(message))
  if (!found) return
  const { id: messageId, senderId } = found
  enqueuePreviewRequest(tx.sql, { messageId, senderId, origin: String(origin), dueAt: tx.now })
  tx.schedule({ kind: 'preview-websites', key: '', dueAt: tx.now })
}
