import { recipientId } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { listConversationsOfUser } from '../messages/conversation-rows.ts'
import { newestMessagesToEach } from './newest-message-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** Limit of conversations, since the last thousand direct messages cannot have more. */
const MAX_CONVERSATIONS = 1_000

/** Key of `recent_private_conversations`: the caller's last conversations, newest first; [] is oneself. */
export const recentPrivateConversationsSnapshot: Snapshot = ({ sql }, { user }) => ({
  recent_private_conversations: recentConversations(sql, user.id).slice(0, MAX_CONVERSATIONS),
})

function recentConversations(sql: Sql, userId: number) {
  const conversations = listConversationsOfUser(sql, userId).map(({ id, members }) => ({
    recipient: recipientId({ kind: 'conversation', id }),
    members,
  }))
  // Together: somebody may have thousands of conversations.
  const newest = newestMessagesToEach(
    sql,
    conversations.map(({ recipient }) => recipient),
  )
  return conversations
    .filter(({ recipient }) => newest.has(recipient))
    .map(({ recipient, members }) => ({
      user_ids: members.filter((member) => member !== userId),
      max_message_id: newest.get(recipient)!,
    }))
    .sort((a, b) => b.max_message_id - a.max_message_id)
}
