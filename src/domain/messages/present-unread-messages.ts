import { recipientOf } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../permissions/topic-rules.ts'
import { listSubscriptionsOfUser } from '../subscriptions/subscription-rows.ts'
import type { User } from '../users/user-rows.ts'
import { conversationById } from './conversation-rows.ts'
import { flagBitsOf } from './flag-rows.ts'
import { FLAG_BIT, MESSAGE_BIT } from './message-bits.ts'
import type { IndexedMessage } from './message-rows.ts'
import { topicsById } from './topic-rows.ts'
import { MAX_UNREAD_MESSAGES } from './unread-messages.ts'

/** Groups unread messages as clients count them. `messages` ascending. Source: core-endpoints 1.2. */
export function presentUnreadMessages(
  sql: Sql,
  user: User,
  messages: readonly IndexedMessage[],
  knowsEmptyTopic: boolean,
) {
  const inChannels = messages.filter(({ topicId }) => topicId > 0)
  const direct = messages.filter(({ topicId }) => topicId === 0)
  const muted = mutedChannels(sql, user)
  const isMuted = ({ recipientId }: IndexedMessage) => muted.has(recipientOf(recipientId).id)
  return {
    count: messages.filter((message) => message.topicId === 0 || !isMuted(message)).length,
    ...directConversations(sql, user, direct),
    streams: topics(sql, inChannels, knowsEmptyTopic),
    mentions: mentionIds(sql, user, messages, isMuted),
    old_unreads_missing: messages.length >= MAX_UNREAD_MESSAGES,
  }
}

function mutedChannels(sql: Sql, user: User): Set<number> {
  return new Set(
    listSubscriptionsOfUser(sql, user.id)
      .filter(({ isMuted }) => isMuted)
      .map(({ channelId }) => channelId),
  )
}

function topics(sql: Sql, messages: readonly IndexedMessage[], knowsEmptyTopic: boolean) {
  const byTopic = Map.groupBy(messages, ({ topicId }) => topicId)
  const named = topicsById(sql, [...byTopic.keys()])
  return [...byTopic].map(([topicId, found]) => {
    const { channelId, name } = named.get(topicId)!
    return {
      stream_id: channelId,
      topic: name === '' && !knowsEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : name,
      unread_message_ids: found.map(({ id }) => id),
    }
  })
}

function directConversations(sql: Sql, user: User, messages: readonly IndexedMessage[]) {
  const byConversation = [...Map.groupBy(messages, ({ recipientId }) => recipientId)].map(
    ([recipient, found]) => ({
      members: conversationById(sql, recipientOf(recipient).id)!.members,
      unread_message_ids: found.map(({ id }) => id),
    }),
  )
  const pairs = byConversation.filter(({ members }) => members.length <= 2)
  const groups = byConversation.filter(({ members }) => members.length > 2)
  return {
    pms: pairs.map(({ members, unread_message_ids }) => {
      const other = members.find((id) => id !== user.id) ?? user.id
      return { other_user_id: other, sender_id: other, unread_message_ids }
    }),
    huddles: groups.map(({ members, unread_message_ids }) => ({
      user_ids_string: members.join(','),
      unread_message_ids,
    })),
  }
}

/** Personal mentions always; wildcard mentions only where the channel is not muted. */
function mentionIds(
  sql: Sql,
  user: User,
  messages: readonly IndexedMessage[],
  isMuted: (message: IndexedMessage) => boolean,
): number[] {
  const bits = flagBitsOf(
    sql,
    user.id,
    messages.map(({ id }) => id),
  )
  return messages
    .filter((message) => {
      const own = bits.get(message.id) ?? 0
      if ((own & FLAG_BIT.mentioned) !== 0) return true
      const wildcard =
        (message.bits & MESSAGE_BIT.channelWildcard) !== 0 || (own & FLAG_BIT.topic_wildcard_mentioned) !== 0
      return wildcard && (message.topicId === 0 || !isMuted(message))
    })
    .map(({ id }) => id)
}
