import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { isReceived, type ReceivedRange, receivedRanges } from '../subscriptions/period-rows.ts'
import { SPELLED_BY_MESSAGE } from './topic-rows.ts'

/** A topic with the messages that count for the reader. */
export interface ListedTopic {
  readonly id: number
  /** The name in the spelling of the newest of them (docs/interface/reading.md#topics-of-a-channel). */
  readonly name: string
  readonly newestMessageId: number
}

/** Lists topics of a channel, the one with the newest message first. */
export function topicsOfChannel(sql: Sql, channelId: number): ListedTopic[] {
  return sql.all<{ id: number; name: string; newestMessageId: number }>(
    `SELECT t.id, ${SPELLED_BY_MESSAGE} AS name, m.id AS newestMessageId
     FROM topic t CROSS JOIN message_index m
       ON m.id = (SELECT MAX(o.id) FROM message_index o WHERE o.topic_id = t.id AND o.topic_id > 0)
     WHERE t.channel_id = ? ORDER BY m.id DESC`,
    channelId,
  )
}

/**
 * Lists the topics of a channel of which a user has a record, each with its newest message among those: sent
 * while the user was subscribed, or with a sparse row. A topic is read no further once its newest message is
 * one of the user's, and not at all when it is older than everything that the user has.
 */
export function topicsReceivedBy(sql: Sql, userId: number, channelId: number): ListedTopic[] {
  return topicsReceivedByAny(sql, [userId], channelId, receivedRanges(sql, userId, channelId))
}

/** Lists the same for any of these users. `ranges`: what they have received, together. */
export function topicsReceivedByAny(
  sql: Sql,
  userIds: readonly number[],
  channelId: number,
  ranges: readonly ReceivedRange[],
): ListedTopic[] {
  const topics = topicsOfChannel(sql, channelId).map((topic) => ({
    topic,
    received: newestReceived(sql, topic, ranges),
  }))
  // Of most topics somebody has received the newest message; what ten thousand people keep is long to read.
  const isEachKnown = topics.every(({ topic, received }) => received === topic.newestMessageId)
  const kept = isEachKnown ? new Map<number, number>() : newestKept(sql, userIds, channelId)
  return topics
    .flatMap(({ topic, received }) => {
      const newest = Math.max(received, kept.get(topic.id) ?? 0)
      if (newest === 0) return []
      if (newest === topic.newestMessageId) return [topic]
      return [{ id: topic.id, name: spelledBy(sql, newest), newestMessageId: newest }]
    })
    .sort((a, b) => b.newestMessageId - a.newestMessageId)
}

/** Returns the newest message for which any of the users has a sparse row, by topic of the channel. */
function newestKept(sql: Sql, userIds: readonly number[], channelId: number): Map<number, number> {
  const rows = sql.all<{ topic_id: number; newest: number }>(
    `SELECT m.topic_id, MAX(m.id) AS newest FROM json_each(?) j
     CROSS JOIN message_flag f ON f.user_id = j.value CROSS JOIN message_index m ON m.id = f.message_id
     WHERE m.recipient_id = ? GROUP BY m.topic_id`,
    JSON.stringify(userIds),
    channelRecipientId(channelId),
  )
  return new Map(rows.map(({ topic_id, newest }) => [topic_id, newest]))
}

/** Returns the newest received message; 0 without one. */
function newestReceived(
  sql: Sql,
  { id, newestMessageId }: ListedTopic,
  ranges: readonly ReceivedRange[],
): number {
  if (isReceived(ranges, newestMessageId)) return newestMessageId
  let newest = 0
  for (const { since, until } of ranges) {
    if (since >= newestMessageId || until <= newest) continue
    const found = sql.first<{ id: number | null }>(
      `SELECT MAX(id) AS id FROM message_index WHERE topic_id = ? AND topic_id > 0 AND id > ? AND id <= ?`,
      id,
      Math.max(since, newest),
      until,
    )?.id
    newest = Math.max(newest, found ?? 0)
  }
  return newest
}

function spelledBy(sql: Sql, messageId: number): string {
  return sql.first<{ name: string }>(
    `SELECT ${SPELLED_BY_MESSAGE} AS name FROM message_index m JOIN topic t ON t.id = m.topic_id WHERE m.id = ?`,
    messageId,
  )!.name
}

/** Whether there is a message outside the empty topic. */
export function hasNamedTopics(sql: Sql, channelId: number): boolean {
  return (
    sql.first(
      `SELECT 1 FROM topic t WHERE channel_id = ? AND name_key <> ''
         AND EXISTS (SELECT 1 FROM message_index m WHERE m.topic_id = t.id AND m.topic_id > 0) LIMIT 1`,
      channelId,
    ) !== undefined
  )
}
