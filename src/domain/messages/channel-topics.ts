import type { Sql } from '../../core/sql.ts'
import { receivedRanges } from '../subscriptions/period-rows.ts'

/** A topic with messages, as far as they are looked at. */
export interface ListedTopic {
  readonly id: number
  /** As the newest of them spells it (behaviour 4.20). */
  readonly name: string
  readonly newestMessageId: number
}

/** Topics of a channel, the one with the newest message first. */
export function topicsOfChannel(sql: Sql, channelId: number): ListedTopic[] {
  return topicsWith(
    sql,
    `SELECT MAX(m.id) FROM message_index m WHERE m.topic_id = t.id AND m.topic_id > 0`,
    channelId,
  )
}

/** The same of what a user has a record of: sent while subscribed, or a sparse row. */
export function topicsReceivedBy(sql: Sql, userId: number, channelId: number): ListedTopic[] {
  const ranges = receivedRanges(sql, userId, channelId).map(({ since, until }) => [since, until])
  return topicsWith(
    sql,
    `SELECT MAX(m.id) FROM message_index m WHERE m.topic_id = t.id AND m.topic_id > 0 AND (
       EXISTS (SELECT 1 FROM json_each(?2) WHERE m.id > value->>0 AND m.id <= value->>1)
       OR EXISTS (SELECT 1 FROM message_flag f WHERE f.user_id = ?3 AND f.message_id = m.id)
     )`,
    channelId,
    JSON.stringify(ranges),
    userId,
  )
}

/** Is there a message outside the empty topic? */
export function hasNamedTopics(sql: Sql, channelId: number): boolean {
  return topicsOfChannel(sql, channelId).some(({ name }) => name !== '')
}

/** `newest`: a query of the id of the topic's newest message, null for none; `t` is the topic. */
function topicsWith(
  sql: Sql,
  newest: string,
  channelId: number,
  ...more: readonly (string | number)[]
): ListedTopic[] {
  return sql.all<{ id: number; name: string; newestMessageId: number }>(
    `SELECT t.id, ifnull(n.topic_spelling, t.name) AS name, n.id AS newestMessageId
     FROM topic t CROSS JOIN message_index n ON n.id = (${newest})
     WHERE t.channel_id = ?1 ORDER BY n.id DESC`,
    channelId,
    ...more,
  )
}
