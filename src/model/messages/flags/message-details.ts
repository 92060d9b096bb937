import type { RealmView } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import type { MessageDetails } from '../../../events/update-message-flags.ts'
import { conversationById } from '../../../store/messages/conversation-rows.ts'
import { flagBitsOf } from '../../../store/messages/flags/flag-rows.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { topicAttention } from '../../user-topics/topic-attention.ts'
import { topicsOfMessages } from '../topic-of-message.ts'
import { isUnreadMention } from './unread-mentions.ts'

/**
 * Returns the details that clients need to make messages unread again, by message id. Source:
 * docs/interface/reading.md#change-flags.
 */
export function messageDetails(
  { sql }: Pick<RealmView, 'sql'>,
  user: User,
  messages: readonly IndexedMessage[],
): Record<string, MessageDetails> {
  const sparse = flagBitsOf(
    sql,
    user.id,
    messages.map(({ id }) => id),
  )
  const topicOf = topicsOfMessages(sql, messages)
  const attention = topicAttention(sql, user.id)
  return Object.fromEntries(
    messages.map((message): [string, MessageDetails] => {
      const topic = topicOf(message)
      const isMuted = topic !== undefined && attention.isMuted(topic.channelId, topic.name)
      const mentioned = isUnreadMention(message, user, sparse.get(message.id) ?? 0, isMuted)
      return [
        String(message.id),
        {
          ...(topic
            ? {
                type: 'stream',
                stream_id: topic.channelId,
                topic: topic.name,
                unmuted_stream_msg: !isMuted,
              }
            : { type: 'private', user_ids: otherParticipants({ sql }, user, message) }),
          ...(mentioned ? { mentioned: true } : {}),
        },
      ]
    }),
  )
}

/** Returns the other people of a direct conversation; nobody for one with oneself. */
function otherParticipants(
  { sql }: Pick<RealmView, 'sql'>,
  user: User,
  { recipientId }: IndexedMessage,
): number[] {
  const members = conversationById(sql, recipientOf(recipientId).id)?.members ?? []
  return members.filter((id) => id !== user.id)
}
