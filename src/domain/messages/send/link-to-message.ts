import type { RealmView } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import { directMessageNearLink, messageNearLink } from '../../../markdown/message-links.ts'
import { findChannel } from '../../channels/channel-rows.ts'
import { conversationById } from '../conversation-rows.ts'
import type { IndexedMessage } from '../message-rows.ts'
import { topicOfMessage } from '../topic-of-message.ts'

/** Returns the address at which the web application shows a message. `origin`: `https://chat.example.com`. */
export function linkToMessage(
  { sql }: Pick<RealmView, 'sql'>,
  message: Pick<IndexedMessage, 'id' | 'recipientId' | 'topicId' | 'topicSpelling' | 'moveId'>,
  origin: string,
): string {
  const { id } = message
  const recipient = recipientOf(message.recipientId)
  if (recipient.kind === 'channel') {
    const topic = topicOfMessage(sql, message)?.name ?? ''
    return `${origin}${messageNearLink(findChannel(sql, recipient.id)!, topic, id)}`
  }
  return `${origin}${directMessageNearLink(conversationById(sql, recipient.id)?.members ?? [], id)}`
}
