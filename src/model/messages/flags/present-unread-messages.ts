import { recipientOf } from '../../../core/recipient-id.ts'
import type { Sql } from '../../../core/sql.ts'
import { membersOfConversations } from '../../../store/messages/conversation-rows.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import { topicsById } from '../../../store/messages/topic-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { topicAttention } from '../../user-topics/topic-attention.ts'
import { presentTopic, topicAmong } from '../topic-of-message.ts'
import type { ListedUnread } from './unread-groups.ts'
import { MAX_UNREAD_MESSAGES } from './unread-messages.ts'

/** Presents the unread messages as clients count them. Unknown topics are read. Source: docs/interface/reading.md#unread-messages. */
export function presentUnreadMessages(
  sql: Sql,
  user: User,
  { groups, topics }: ListedUnread,
  knowsEmptyTopic: boolean,
): object {
  const unknown: number[] = []
  for (const id of groups.byTopic.keys()) if (!topics.has(id)) unknown.push(id)
  const read = unknown.length === 0 ? topics : topicsById(sql, unknown)
  const [amongKnown, amongRead] = [topicAmong(topics), topicAmong(read)]
  const topicOf = (message: IndexedMessage) => (amongKnown(message) ?? amongRead(message))!
  const attention = topicAttention(sql, user.id)
  const streams: object[] = []
  const muted = new Set<number>()
  let mutedMessages = 0
  for (const [topicId, { ids, newest }] of groups.byTopic) {
    const { channelId, name } = topicOf(newest)
    const topic = presentTopic(name, knowsEmptyTopic)
    streams.push({ stream_id: channelId, topic, unread_message_ids: ids })
    if (!attention.isMuted(channelId, name)) continue
    muted.add(topicId)
    mutedMessages += ids.length
  }
  return {
    count: groups.count - mutedMessages,
    ...directConversations(sql, user, groups.direct),
    streams,
    mentions: groups.mentions
      .filter(({ topicId, isPersonal }) => isPersonal || !muted.has(topicId))
      .map(({ id }) => id),
    old_unreads_missing: groups.count >= MAX_UNREAD_MESSAGES,
  }
}

/**
 * Returns the number of unread messages that a window's title shows: direct ones and mentions, without those of everybody in a muted topic.
 */
export function countForTitle(sql: Sql, user: User, { groups, topics }: ListedUnread): number {
  const counted = new Set(groups.direct.map(({ id }) => id))
  const ofAll = groups.mentions.filter(({ isPersonal }) => !isPersonal).map(({ topicId }) => topicId)
  const unknown = topicsById(
    sql,
    [...new Set(ofAll)].filter((id) => !topics.has(id)),
  )
  const attention = topicAttention(sql, user.id)
  for (const { id, topicId, isPersonal } of groups.mentions) {
    const topic = topics.get(topicId) ?? unknown.get(topicId)
    if (isPersonal || !topic || !attention.isMuted(topic.channelId, topic.name)) counted.add(id)
  }
  return counted.size
}

function directConversations(sql: Sql, user: User, messages: readonly IndexedMessage[]) {
  const byRecipient = Map.groupBy(messages, ({ recipientId }) => recipientId)
  const ids = Array.from(byRecipient.keys(), (recipient) => recipientOf(recipient).id)
  const membersOf = membersOfConversations(sql, ids)
  const byConversation = Array.from(byRecipient, ([recipient, found]) => ({
    members: membersOf.get(recipientOf(recipient).id)!,
    unread_message_ids: found.map(({ id }) => id),
  }))
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
