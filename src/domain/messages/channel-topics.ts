import type { Sql } from '../../core/sql.ts'
import { receivedRanges } from '../subscriptions/period-rows.ts'
import { SPELLED_BY_MESSAGE } from './topic-rows.ts'

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
    `SELECT MAX(o.id) FROM message_index o WHERE o.topic_id = t.id AND o.topic_id > 0`,
    channelId,
  )
}

/** The same of what a user has a record of: sent while subscribed, or a sparse row. */
export function topicsReceivedBy(sql: Sql, userId: number, channelId: number): ListedTopic[] {
  const ranges = receivedRanges(sql, userId, channelId).map(({ since, until }) => [since, until])
  return topicsWith(
    sql,
    `SELECT MAX(o.id) FROM message_index o WHERE o.topic_id = t.id AND o.topic_id > 0 AND (
       EXISTS (SELECT 1 FROM json_each(?2) WHERE o.id > value->>0 AND o.id <= value->>1)
       OR EXISTS (SELECT 1 FROM message_flag f WHERE f.user_id = ?3 AND f.message_id = o.id)
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
    `SELECT t.id, ${SPELLED_BY_MESSAGE} AS name, m.id AS newestMessageId
     FROM topic t CROSS JOIN message_index m ON m.id = (${newest})
     WHERE t.channel_id = ?1 ORDER BY m.id DESC`,
    channelId,
    ...more,
  )
}
