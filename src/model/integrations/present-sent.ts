import type { RealmReads } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { findMessage } from '../../store/messages/message-rows.ts'
import type { Caller } from '../caller.ts'
import { normaliseContent } from '../messages/send/compose.ts'

/** The message of a post, for programs that wait for it. */
export interface SentWebhookMessage {
  readonly message_id: number
  /** Null for a direct message. */
  readonly channel_id: number | null
  readonly sender_full_name: string
  /** Markdown, as it was sent. */
  readonly content: string
  /** UNIX seconds. */
  readonly timestamp: number
}

export function presentSent(
  { sql }: Pick<RealmReads, 'sql'>,
  { user }: Pick<Caller, 'user'>,
  messageId: number,
  text: string,
): SentWebhookMessage {
  const { recipientId, sentAt } = findMessage(sql, messageId)!
  const { kind, id } = recipientOf(recipientId)
  return {
    message_id: messageId,
    channel_id: kind === 'channel' ? id : null,
    sender_full_name: user.fullName,
    content: normaliseContent(text),
    timestamp: sentAt,
  }
}
