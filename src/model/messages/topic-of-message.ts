import type { Sql } from '../../core/sql.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { type Topic, topicById, topicsById } from '../../store/messages/topic-rows.ts'

export type InTopic = Pick<IndexedMessage, 'id' | 'topicId' | 'topicSpelling' | 'moveId'>

/**
 * Returns the topic of a message, with its name in this message's spelling
 * (docs/interface/conventions.md#topics): as it was sent, or moved there. Undefined for a direct message.
 */
export function topicOfMessage(sql: Sql, message: InTopic): Topic | undefined {
  const topic = message.topicId === 0 ? undefined : topicById(sql, message.topicId)
  return topic && asSpelledBy(message, topic)
}

/** Returns the topics of many messages, read together. */
export function topicsOfMessages(
  sql: Sql,
  messages: readonly InTopic[],
): (message: InTopic) => Topic | undefined {
  const ids = new Set(messages.map(({ topicId }) => topicId))
  return topicAmong(ids.size === 0 ? new Map() : topicsById(sql, [...ids]))
}

/** Returns the topics of messages among these, which were read before. */
export function topicAmong(topics: ReadonlyMap<number, Topic>): (message: InTopic) => Topic | undefined {
  return (message) => {
    const topic = topics.get(message.topicId)
    return topic && asSpelledBy(message, topic)
  }
}

/** Returns the spelling for a message of this topic in the index: null for the topic's own, as for most. */
export function spellingIn(topic: Topic, name: string): string | null {
  return name === topic.name ? null : name
}

function asSpelledBy(message: InTopic, topic: Topic): Topic {
  const { topicSpelling } = message
  return topicSpelling === null || hasMovedWith(topic, message) ? topic : { ...topic, name: topicSpelling }
}

/**
 * Whether the message has taken part in the topic's last move as a whole. Later ones have been sent, or moved
 * there, since.
 */
function hasMovedWith({ moved }: Topic, { id, moveId }: InTopic): boolean {
  return moved !== null && id <= moved.upTo && (moveId ?? 0) < moved.moveId
}
