import type { RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { mayAccessChannelContent } from '../../rules/channel-rules.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { hasReceivedInTopic } from '../../store/messages/flags/received-message-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { hasMovedWithTopic, isRespelling } from '../../store/messages/move/message-move-rows.ts'
import { findTopic, type Topic, topicById, topicKey, topicsById } from '../../store/messages/topic-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'

type InTopic = Pick<IndexedMessage, 'id' | 'topicId' | 'topicSpelling' | 'moveId'>

/** Returns the topic of a message, spelled as the message was sent or moved there. Undefined for a direct message. */
export function topicOfMessage(sql: Sql, message: InTopic): Topic | undefined {
  const topic = message.topicId === 0 ? undefined : topicById(sql, message.topicId)
  return topic && asSpelledBy(message, topic)
}

export function topicsOfMessages(
  sql: Sql,
  messages: readonly InTopic[],
): (message: InTopic) => Topic | undefined {
  const ids = new Set(messages.map(({ topicId }) => topicId))
  return topicAmong(ids.size === 0 ? new Map() : topicsById(sql, [...ids]))
}

/** Returns a function that returns a message's topic, of those that have been read. */
export function topicAmong(topics: ReadonlyMap<number, Topic>): (message: InTopic) => Topic | undefined {
  return (message) => {
    const topic = topics.get(message.topicId)
    return topic && asSpelledBy(message, topic)
  }
}

/** Returns the spelling for the index: null for the topic's own, as usual. */
export function spellingIn(topic: Topic, name: string): string | null {
  return name === topic.name ? null : name
}

function asSpelledBy(message: InTopic, topic: Topic): Topic {
  const { topicSpelling } = message
  return topicSpelling === null || hasMovedWith(topic, message) ? topic : { ...topic, name: topicSpelling }
}

/** Whether the message took part in the topic's last move as a whole, and was not sent or moved there later. */
function hasMovedWith({ moved }: Topic, { id, moveId }: InTopic): boolean {
  return moved !== null && id <= moved.upTo && (moveId ?? 0) < moved.moveId
}

/**
 * Returns the spelling in which a user writes to a topic. After a change of its case alone, there is one spelling, which drafts, scheduled
 * messages, settings and replies of clients that do not know it yet take too (docs/interface/messages.md#what-moves). Any other topic is
 * spelled by each message. Users do not learn the spelling of a topic in which they can read nothing.
 */
export function spelledAsRenamed(
  view: Pick<RealmView, 'sql' | 'now'>,
  userId: number,
  channelId: number,
  name: string,
): string {
  const topic = findTopic(view.sql, channelId, name)
  if (!topic?.moved || topic.name === name || !isRespelling(view.sql, topic.moved.moveId)) return name
  if (!hasMovedWithTopic(view.sql, topic.id, topic.moved)) return name
  return readsIn(view, userId, topic) ? topic.name : name
}

function readsIn({ sql, now }: Pick<RealmView, 'sql' | 'now'>, userId: number, topic: Topic): boolean {
  const [user, channel] = [findUser(sql, userId), findChannel(sql, topic.channelId)]
  if (!user || !channel) return false
  if (!mayAccessChannelContent(actorOf(sql, user, now), channel, isSubscribed(sql, channel.id, userId)))
    return false
  return hasReceivedInTopic(sql, topic, userId, channel.historyPublicToSubscribers)
}

/** Whether two names of a topic differ only in case. */
export function differInCaseAlone(one: string, other: string): boolean {
  return one !== other && topicKey(one) === topicKey(other)
}

/** Returns the topic's name for a client, which may need a name for the empty topic. */
export function presentTopic(topic: string, allowEmptyTopic: boolean): string {
  return topic === '' && !allowEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : topic
}
