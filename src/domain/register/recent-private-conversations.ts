import { recipientId } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { listConversationsOfUser } from '../messages/conversation-rows.ts'
import { newestMessageTo } from './newest-message-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** Conversations among the last thousand direct messages cannot be more than these. */
const MOST_CONVERSATIONS = 1_000

/** Key of `recent_private_conversations`: with whom the caller wrote last, newest first; [] is oneself. */
export const recentPrivateConversationsSnapshot: Snapshot = ({ sql }, { user }) => ({
  recent_private_conversations: recentConversations(sql, user.id).slice(0, MOST_CONVERSATIONS),
})

function recentConversations(sql: Sql, userId: number) {
  return listConversationsOfUser(sql, userId)
    .map(({ id, members }) => ({
      user_ids: members.filter((member) => member !== userId),
      max_message_id: newestMessageTo(sql, recipientId({ kind: 'conversation', id })),
    }))
    .filter((one): one is { user_ids: number[]; max_message_id: number } => one.max_message_id !== undefined)
    .sort((a, b) => b.max_message_id - a.max_message_id)
}
