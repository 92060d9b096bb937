import type { MessageBody } from '../../core/message-bodies.ts'
import type { EditHistoryPolicy } from '../messages/edit/edit-history.ts'
import { bodyOf, completeMessage, versionOf } from '../messages/in-worker/complete-message.ts'
import type { PresentedMessage } from '../messages/read/present-message.ts'

export interface ExportedMessage {
  readonly id: number
  readonly [field: string]: unknown
}

/**
 * Returns messages as GET /messages gives them, with the source as `content` and its HTML beside it, and
 * without `flags`, which belong to a reader. Ends before the first message without a body of its version: it
 * was edited or deleted meanwhile, or the bodies are too large to be held together.
 */
export function completeMessages(
  messages: readonly PresentedMessage[],
  bodies: ReadonlyMap<number, MessageBody>,
  historyPolicy: EditHistoryPolicy,
): ExportedMessage[] {
  const complete: ExportedMessage[] = []
  for (const message of messages) {
    const body = bodyOf(versionOf(message), bodies)
    if (!body) break
    const options = { applyMarkdown: false, allowEmptyTopic: true, historyPolicy }
    const { flags: _, ...shown } = completeMessage(message, body, options)
    complete.push({ ...shown, rendered_content: body.renderedContent })
  }
  return complete
}
