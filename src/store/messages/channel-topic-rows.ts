import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import type { ReceivedRange } from '../subscriptions/period-rows.ts'
import { isReceived } from '../subscriptions/received-range-rows.ts'
import { SPELLED_BY_MESSAGE, topicKey } from './topic-rows.ts'

/** A topic with the messages that count for the reader. */
export interface ListedTopic {
  readonly id: number
  /** The name as the newest of them spells it (docs/interface/reading.md#topics-of-a-channel). */
  readonly name: string
  readonly newestMessageId: number
}

/** SQL: the newest message of the topic `t`. */
const NEWEST = '(SELECT MAX(o.id) FROM message_index o WHERE o.topic_id = t.id AND o.topic_id > 0)'

/** Lists the next topics of a channel by their keys, at most `limit`. `next`: the key of the last, if there may be more. */
export function topicsOfChannelAfter(
  sql: Sql,
  channelId: number,
  after: string | undefined,
  limit: number,
): { readonly topics: ListedTopic[]; readonly next: string | undefined } {
  const rows = sql.all<{ id: number; name: string; newestMessageId: number | null }>(
    `SELECT t.id, ${SPELLED_BY_MESSAGE} AS name, m.id AS newestMessageId
     FROM topic t LEFT JOIN message_index m ON m.id = ${NEWEST}
     WHERE t.channel_id = ? ${after === undefined ? '' : 'AND t.name_key > ?'} ORDER BY t.name_key LIMIT ?`,
    channelId,
    ...(after === undefined ? [] : [after]),
    limit,
  )
  const last = rows.length < limit ? undefined : rows.at(-1)
  const topics = rows.filter((row): row is ListedTopic => row.newestMessageId !== null)
  return { topics, next: last && topicKey(last.name) }
}

export const ABOVE_ALL = Number.MAX_SAFE_INTEGER

/** Returns the topic with another newest message, or an empty list without one. */
export function listedWith(sql: Sql, topic: ListedTopic, newest: number): ListedTopic[] {
  if (newest === 0) return []
  if (newest === topic.newestMessageId) return [topic]
  return [{ id: topic.id, name: spelledBy(sql, newest), newestMessageId: newest }]
}

/** Returns the newest message for which the user has a sparse row, by topic of the channel. */
export function newestKept(sql: Sql, userId: number, channelId: number): Map<number, number> {
  const rows = sql.all<{ topic_id: number; newest: number }>(
    `SELECT m.topic_id, MAX(m.id) AS newest FROM message_flag f CROSS JOIN message_index m ON m.id = f.message_id
     WHERE f.user_id = ? AND m.recipient_id = ? GROUP BY m.topic_id`,
    userId,
    channelRecipientId(channelId),
  )
  return new Map(rows.map(({ topic_id, newest }) => [topic_id, newest]))
}

/** Returns the newest received message; 0 without one. */
export function newestReceived(
  sql: Sql,
  { id, newestMessageId }: ListedTopic,
  ranges: readonly ReceivedRange[],
): number {
  if (isReceived(ranges, newestMessageId)) return newestMessageId
  let newest = 0
  for (const { since, until } of ranges) {
    if (since >= newestMessageId || until <= newest) continue
    const found = sql.value(
      `SELECT MAX(id) AS id FROM message_index WHERE topic_id = ? AND topic_id > 0 AND id > ? AND id <= ?`,
      id,
      Math.max(since, newest),
      until,
    )
    newest = Math.max(newest, found ?? 0)
  }
  return newest
}

function spelledBy(sql: Sql, messageId: number): string {
  return sql.value<string>(
    `SELECT ${SPELLED_BY_MESSAGE} AS name FROM message_index m JOIN topic t ON t.id = m.topic_id WHERE m.id = ?`,
    messageId,
  )!
}

/** Whether there is a message outside the empty topic. */
export function hasNamedTopics(sql: Sql, channelId: number): boolean {
  return sql.finds(
    `SELECT 1 FROM topic t WHERE channel_id = ? AND name_key <> ''
         AND EXISTS (SELECT 1 FROM message_index m WHERE m.topic_id = t.id AND m.topic_id > 0) LIMIT 1`,
    channelId,
  )
}
