import type { Sql } from '../../core/sql.ts'
import { postBits } from './message-posting-rows.ts'

/** A message as the moves of its topic see it. */
export interface TopicMessage {
  readonly id: number
  readonly recipientId: number
  /** UNIX seconds. */
  readonly sentAt: number
}

/** The messages of a topic from this id on, ascending. */
export function listTopicMessages(sql: Sql, topicId: number, fromId = 0): TopicMessage[] {
  return sql
    .all<{ id: number; recipient_id: number; sent_at: number }>(
      `SELECT id, recipient_id, sent_at FROM message_index
       WHERE topic_id = ?1 AND topic_id > 0 AND id >= ?2 ORDER BY id`,
      topicId,
      fromId,
    )
    .map(({ id, recipient_id, sent_at }) => ({ id, recipientId: recipient_id, sentAt: sent_at }))
}

/** The oldest message of a channel, null for one without messages. */
export function oldestMessageTo(sql: Sql, recipientId: number): number | null {
  return (
    sql.first<{ id: number | null }>(
      `SELECT MIN(id) AS id FROM message_index WHERE recipient_id = ?`,
      recipientId,
    )?.id ?? null
  )
}

/** Writes what an edit of the content changes in the index; the version goes up by one. */
export function editInIndex(
  sql: Sql,
  id: number,
  { bits, editedAt }: { bits: number; editedAt: number },
): void {
  sql.run(
    `UPDATE message_index SET bits = ?, edited_at = ?, version = version + 1 WHERE id = ?`,
    bits,
    Math.floor(editedAt),
    id,
  )
  postBits(sql, id, bits)
}

/** Takes the flags of these messages away from everybody who is not subscribed to the channel. */
export function deleteFlagsOfOthers(sql: Sql, messageIds: readonly number[], channelId: number): void {
  sql.run(
    `DELETE FROM message_flag WHERE message_id IN (SELECT value FROM json_each(?1)) AND user_id NOT IN (
       SELECT user_id FROM subscription WHERE channel_id = ?2 AND is_active = 1
     )`,
    JSON.stringify(messageIds),
    channelId,
  )
}
