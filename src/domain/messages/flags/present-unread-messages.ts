import { recipientOf } from '../../../core/recipient-id.ts'
import type { Sql } from '../../../core/sql.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../permissions/topic-rules.ts'
import { topicAttention } from '../../user-topics/topic-attention.ts'
import type { User } from '../../users/user-rows.ts'
import { conversationById } from '../conversation-rows.ts'
import type { IndexedMessage } from '../message-rows.ts'
import { topicsOfMessages } from '../topic-of-message.ts'
import type { Topic } from '../topic-rows.ts'
import { flagBitsOf } from './flag-rows.ts'
import { isUnreadMention } from './unread-mentions.ts'
import { MAX_UNREAD_MESSAGES } from './unread-messages.ts'

/**
 * Groups unread messages as clients count them. `messages` ascending. Source:
 * docs/interface/reading.md#unread-messages.
 */
export function presentUnreadMessages(
  sql: Sql,
  user: User,
  messages: readonly IndexedMessage[],
  knowsEmptyTopic: boolean,
) {
  const inChannels = messages.filter(({ topicId }) => topicId > 0)
  const direct = messages.filter(({ topicId }) => topicId === 0)
  const topicOf = topicsOfMessages(sql, inChannels)
  const attention = topicAttention(sql, user.id)
  const isMuted = (message: IndexedMessage) => {
    const topic = topicOf(message)
    return topic !== undefined && attention.isMuted(topic.channelId, topic.name)
  }
  return {
    count: messages.filter((message) => !isMuted(message)).length,
    ...directConversations(sql, user, direct),
    streams: presentTopics(topicOf, inChannels, knowsEmptyTopic),
    mentions: mentionIds(sql, user, messages, isMuted),
    old_unreads_missing: messages.length >= MAX_UNREAD_MESSAGES,
  }
}

/** Returns topics, each in the spelling of the newest of its unread messages. */
function presentTopics(
  topicOf: (message: IndexedMessage) => Topic | undefined,
  messages: readonly IndexedMessage[],
  knowsEmptyTopic: boolean,
) {
  return [...Map.groupBy(messages, ({ topicId }) => topicId).values()].map((found) => {
    const { channelId, name } = topicOf(found.at(-1)!)!
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
    .filter((message) => isUnreadMention(message, user, bits.get(message.id) ?? 0, isMuted(message)))
    .map(({ id }) => id)
}
