import { recipientOf } from '../../../core/recipient-id.ts'
import type { Sql } from '../../../core/sql.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../rules/topic-rules.ts'
import { membersOfConversations } from '../../../store/messages/conversation-rows.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import { type Topic, topicsById } from '../../../store/messages/topic-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { type TopicAttention, topicAttention } from '../../user-topics/topic-attention.ts'
import { topicAmong } from '../topic-of-message.ts'
import type { ListedUnread, UnreadGroups } from './unread-groups.ts'
import { MAX_UNREAD_MESSAGES } from './unread-messages.ts'

/**
 * Presents the unread messages as clients count them. The topics that are not known yet are read. Source: docs/interface/reading.md#unread-messages.
 */
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
  const direct = directConversations(sql, user, groups.direct)
  return presented(groups, { topicOf, attention, direct, knowsEmptyTopic })
}

interface Seen {
  readonly topicOf: (message: IndexedMessage) => Topic
  readonly attention: TopicAttention
  readonly direct: object
  readonly knowsEmptyTopic: boolean
}

function presented(groups: UnreadGroups, { topicOf, attention, direct, knowsEmptyTopic }: Seen) {
  // Each topic is looked up once.
  const inTopics: (readonly [Topic, readonly number[]])[] = []
  const muted = new Set<number>()
  let mutedMessages = 0
  for (const [topicId, group] of groups.byTopic) {
    const topic = topicOf(group.newest)
    inTopics.push([topic, group.ids])
    if (!attention.isMuted(topic.channelId, topic.name)) continue
    muted.add(topicId)
    mutedMessages += group.ids.length
  }
  return {
    count: groups.count - mutedMessages,
    ...direct,
    streams: inTopics.map(([topic, ids]) => presentTopic(topic, ids, knowsEmptyTopic)),
    mentions: groups.mentions
      .filter(({ topicId, isPersonal }) => isPersonal || !muted.has(topicId))
      .map(({ id }) => id),
    old_unreads_missing: groups.count >= MAX_UNREAD_MESSAGES,
  }
}

/** Presents a topic in the spelling of the newest of its unread messages. */
function presentTopic({ channelId, name }: Topic, ids: readonly number[], knowsEmptyTopic: boolean) {
  return {
    stream_id: channelId,
    topic: name === '' && !knowsEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : name,
    unread_message_ids: ids,
  }
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
