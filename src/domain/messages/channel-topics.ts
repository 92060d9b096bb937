import type { Sql } from '../../core/sql.ts'
import { receivedRanges } from '../subscriptions/period-rows.ts'

/** A topic with messages. */
export interface ListedTopic {
  readonly id: number
  readonly name: string
  readonly newestMessageId: number
}

/** Topics of a channel, the one with the newest message first. */
export function topicsOfChannel(sql: Sql, channelId: number): ListedTopic[] {
  return withMessages(
    sql.all(
      `SELECT t.id, t.name, (
         SELECT MAX(m.id) FROM message_index m WHERE m.topic_id = t.id AND m.topic_id > 0
       ) AS newestMessageId FROM topic t WHERE t.channel_id = ?`,
      channelId,
    ),
  )
}

/** The same of what a user has a record of: sent while subscribed, or a sparse row. */
export function topicsReceivedBy(sql: Sql, userId: number, channelId: number): ListedTopic[] {
  const ranges = receivedRanges(sql, userId, channelId).map(({ since, until }) => [since, until])
  return withMessages(
    sql.all(
      `SELECT t.id, t.name, (
         SELECT MAX(m.id) FROM message_index m WHERE m.topic_id = t.id AND m.topic_id > 0 AND (
           EXISTS (SELECT 1 FROM json_each(?2) WHERE m.id > value->>0 AND m.id <= value->>1)
           OR EXISTS (SELECT 1 FROM message_flag f WHERE f.user_id = ?3 AND f.message_id = m.id)
         )
       ) AS newestMessageId FROM topic t WHERE t.channel_id = ?1`,
      channelId,
      JSON.stringify(ranges),
      userId,
    ),
  )
}

/** Is there a message outside the empty topic? */
export function hasNamedTopics(sql: Sql, channelId: number): boolean {
  return topicsOfChannel(sql, channelId).some(({ name }) => name !== '')
}

function withMessages(rows: readonly (ListedTopic | { newestMessageId: null })[]): ListedTopic[] {
  return rows
    .filter((row): row is ListedTopic => row.newestMessageId !== null)
    .sort((a, b) => b.newestMessageId - a.newestMessageId)
}
