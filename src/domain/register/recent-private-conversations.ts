import { recipientId, recipientOf } from '../../core/recipient-id.ts'
import { conversationIdsOfUser, membersOfConversations } from '../messages/conversation-rows.ts'
import { newestMessagesToEach } from '../messages/newest-message-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** Limit of conversations, since the last thousand direct messages cannot have more. */
const MAX_CONVERSATIONS = 1_000

/**
 * Key of `recent_private_conversations`: the caller's last conversations, newest first; [] is oneself. Only of these the members are read: there
 * may be tens of thousands of others.
 */
export const recentPrivateConversationsSnapshot: Snapshot = ({ sql }, { user }) => {
  const recipients = conversationIdsOfUser(sql, user.id).map((id) =>
    recipientId({ kind: 'conversation', id }),
  )
  const newest = newestMessagesToEach(sql, recipients, MAX_CONVERSATIONS).map(({ recipient, id }) => ({
    conversationId: recipientOf(recipient).id,
    newestId: id,
  }))
  const members = membersOfConversations(
    sql,
    newest.map(({ conversationId }) => conversationId),
  )
  return {
    recent_private_conversations: newest.map(({ conversationId, newestId }) => ({
      user_ids: members.get(conversationId)!.filter((member) => member !== user.id),
      max_message_id: newestId,
    })),
  }
}
