import type { Sql, WritableSql } from '../../../core/sql.ts'

/**
 * Records topics whose last message was deleted, and since when. The table `emptied_topic` is owned by this
 * file.
 */
export function putEmptiedTopic(sql: WritableSql, topicId: number, since: number): void {
  sql.run(
    `INSERT INTO emptied_topic (topic_id, since) VALUES (?1, ?2) ON CONFLICT (topic_id) DO UPDATE SET since = ?2`,
    topicId,
    Math.floor(since),
  )
}

/**
 * Deletes the names of up to `limit` topics that have been empty since before `time` (UNIX seconds), except
 * those from which messages were moved, or which moved as a whole: the history of messages needs them.
 * Returns how many it has checked.
 */
export function forgetEmptiedTopics(sql: WritableSql, time: number, limit: number): number {
  const due = sql
    .all<{ id: number }>(
      `SELECT topic_id AS id FROM emptied_topic WHERE since <= ? ORDER BY since, topic_id LIMIT ?`,
      time,
      limit,
    )
    .map(({ id }) => id)
  if (due.length === 0) return 0
  const ids = JSON.stringify(due)
  sql.run(
    `DELETE FROM topic WHERE id IN (SELECT value FROM json_each(?1))
       AND NOT EXISTS (SELECT 1 FROM message_index AS m WHERE m.topic_id = topic.id AND m.topic_id > 0)
       AND NOT EXISTS (SELECT 1 FROM message_move AS w WHERE w.topic_id = topic.id)
       AND id NOT IN (SELECT from_topic_id FROM message_move WHERE from_topic_id IN (SELECT value FROM json_each(?1)))`,
    ids,
  )
  sql.run(`DELETE FROM emptied_topic WHERE topic_id IN (SELECT value FROM json_each(?))`, ids)
  return due.length
}

/** Returns UNIX seconds; undefined without any. */
export function oldestEmptiedTopicAt(sql: Sql): number | undefined {
  return (
    sql.first<{ since: number | null }>(`SELECT MIN(since) AS since FROM emptied_topic`)?.since ?? undefined
  )
}
