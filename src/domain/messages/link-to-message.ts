import type { RealmView } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { directMessageNearLink, messageNearLink } from '../../markdown/message-links.ts'
import { findChannel } from '../channels/channel-rows.ts'
import { conversationById } from './conversation-rows.ts'
import type { IndexedMessage } from './message-rows.ts'
import { topicById } from './topic-rows.ts'

/** The address at which the web application shows a message. `origin`: `https://chat.example.com`. */
export function linkToMessage(
  { sql }: Pick<RealmView, 'sql'>,
  { id, recipientId, topicId }: Pick<IndexedMessage, 'id' | 'recipientId' | 'topicId'>,
  origin: string,
): string {
  const recipient = recipientOf(recipientId)
  if (recipient.kind === 'channel') {
    const topic = topicById(sql, topicId)?.name ?? ''
    return `${origin}${messageNearLink(findChannel(sql, recipient.id)!, topic, id)}`
  }
  return `${origin}${directMessageNearLink(conversationById(sql, recipient.id)?.members ?? [], id)}`
}
