import type { Sql } from '../../../core/sql.ts'

/**
 * Returns distinct senders and reactors of a topic, and `alsoId`, who is about to join it; at most `limit`.
 */
export function topicParticipants(sql: Sql, topicId: number, alsoId: number, limit = 10_000): number[] {
  const rows = sql.all<{ id: number }>(
    `SELECT DISTINCT id FROM (
       SELECT sender_id AS id FROM message_index WHERE topic_id = ?1 AND topic_id > 0
       UNION
       SELECT r.user_id FROM message_index m JOIN reaction r ON r.message_id = m.id
         WHERE m.topic_id = ?1 AND m.topic_id > 0
     ) LIMIT ?2`,
    topicId,
    limit,
  )
  return [...new Set([...rows.map(({ id }) => id), alsoId])]
}
