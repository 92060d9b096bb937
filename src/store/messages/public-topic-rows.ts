import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'

/**
 * Queries about topics for pages without an account: each is limited, however long a channel or a topic is.
 */

/** Returns the newest messages of a channel below an id, newest first. */
export function messagesOfChannelBelow(
  sql: Sql,
  channelId: number,
  { below, limit }: { readonly below: number; readonly limit: number },
): { readonly id: number; readonly topicId: number }[] {
  return sql.all(
    `SELECT id, topic_id AS topicId FROM message_index WHERE recipient_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
    channelRecipientId(channelId),
    below,
    limit,
  )
}

/** Returns the first and the newest message of a topic that has any. */
export function endsOfTopic(sql: Sql, topicId: number): { readonly first: number; readonly newest: number } {
  // Both in one expression would read all of them.
  return sql.first<{ first: number; newest: number }>(
    `SELECT (SELECT MIN(id) FROM message_index WHERE topic_id = ?1 AND topic_id > 0) AS first,
       (SELECT MAX(id) FROM message_index WHERE topic_id = ?1 AND topic_id > 0) AS newest`,
    topicId,
  )!
}

/** Returns ids of a topic from one on, ascending. */
export function idsOfTopicFrom(sql: Sql, topicId: number, from: number, limit: number): number[] {
  return sql
    .all<{ id: number }>(
      `SELECT id FROM message_index WHERE topic_id = ? AND topic_id > 0 AND id >= ? ORDER BY id LIMIT ?`,
      topicId,
      from,
      limit,
    )
    .map(({ id }) => id)
}

/** Returns ids of a topic before one, descending. */
export function idsOfTopicBefore(sql: Sql, topicId: number, before: number, limit: number): number[] {
  return sql
    .all<{ id: number }>(
      `SELECT id FROM message_index WHERE topic_id = ? AND topic_id > 0 AND id < ? ORDER BY id DESC LIMIT ?`,
      topicId,
      before,
      limit,
    )
    .map(({ id }) => id)
}
