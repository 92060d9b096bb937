import { fromJson, type JsonText } from '../../../core/json.ts'
import type { Sql, WritableSql } from '../../../core/sql.ts'
import { postBits } from '../message-posting-rows.ts'
import { followed, recentMessages } from '../recent-message-rows.ts'
import { SPELLED_BY_MESSAGE } from '../topic-rows.ts'

/** Ids that are read in one row, since a row for each costs more: with ten digits each they fit into the 2 MB that a value may have. */
const IDS_IN_ONE_ROW = 100_000

/** Returns the messages of a topic, ascending: as a few values, since there may be a hundred thousand. */
export function listTopicMessageIds(sql: Sql, topicId: number, inOneRow = IDS_IN_ONE_ROW): number[] {
  return idsOfTopic(sql, topicId, inOneRow, '')
}

/** Whether a topic has a message with another spelling than this. */
export function isSpelledOtherwise(sql: Sql, topicId: number, spelling: string): boolean {
  const found = sql.first(
    `SELECT 1 AS found FROM message_index m JOIN topic t ON t.id = m.topic_id
     WHERE m.topic_id = ? AND m.topic_id > 0 AND ${SPELLED_BY_MESSAGE} <> ? LIMIT 1`,
    topicId,
    spelling,
  )
  return found !== undefined
}

/** Returns the ids of the newest `limit` messages of a topic, from `from` on and below `below`, ascending. */
export function newestTopicMessageIds(
  sql: Sql,
  topicId: number,
  { from, below, limit }: { from: number; below: number; limit: number },
): number[] {
  return sql
    .all<{ id: number }>(
      `SELECT id FROM message_index WHERE topic_id = ? AND topic_id > 0 AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?`,
      topicId,
      from,
      below,
      limit,
    )
    .map(({ id }) => id)
    .reverse()
}

/** Returns the ids of a topic's messages that were sent at `since` (UNIX seconds) or later, ascending. */
export function listTopicMessagesSince(
  sql: Sql,
  topicId: number,
  since: number,
  inOneRow = IDS_IN_ONE_ROW,
): number[] {
  return idsOfTopic(sql, topicId, inOneRow, 'AND sent_at >= ?4', since)
}

function idsOfTopic(
  sql: Sql,
  topicId: number,
  inOneRow: number,
  condition: string,
  ...params: readonly number[]
): number[] {
  const parts: number[][] = []
  for (let above = 0; ; above = parts.at(-1)!.at(-1)!) {
    const { ids } = sql.first<{ ids: JsonText<number[]> }>(
      `SELECT json_group_array(id) AS ids FROM (
         SELECT id FROM message_index
         WHERE topic_id = ?1 AND topic_id > 0 AND id > ?2 ${condition} ORDER BY id LIMIT ?3
       )`,
      topicId,
      above,
      inOneRow,
      ...params,
    )!
    const part = fromJson(ids)
    parts.push(part)
    if (part.length < inOneRow) return parts.flat()
  }
}

/** Returns the oldest message of a channel; null without messages. */
export function oldestMessageTo(sql: Sql, recipientId: number): number | null {
  return (
    sql.first<{ id: number | null }>(
      `SELECT MIN(id) AS id FROM message_index WHERE recipient_id = ?`,
      recipientId,
    )?.id ?? null
  )
}

/** Writes what an edit of the content changes in the index; the version grows by one. */
export function editInIndex(
  sql: WritableSql,
  id: number,
  { bits, editedAt }: { bits: number; editedAt: number },
): void {
  const editedAtSecond = Math.floor(editedAt)
  const statement = `UPDATE message_index SET bits = ?, edited_at = ?, version = version + 1 WHERE id = ? RETURNING version`
  const { version } = followed(sql, () =>
    sql.runForFirst<{ version: number }>(statement, bits, editedAtSecond, id),
  )!
  recentMessages(sql).noteChange(id, { bits, version, editedAt: editedAtSecond })
  postBits(sql, id, bits)
}

/** Records a new rendering of the same text: the former body is out of date. */
export function renderedAgainInIndex(sql: WritableSql, id: number): void {
  const statement = `UPDATE message_index SET version = version + 1 WHERE id = ? RETURNING version`
  const { version } = followed(sql, () => sql.runForFirst<{ version: number }>(statement, id))!
  recentMessages(sql).noteChange(id, { version })
}

/** Deletes the flags of these messages of everybody who is not subscribed to the channel. */
export function deleteFlagsOfOthers(
  sql: WritableSql,
  messageIds: readonly number[],
  channelId: number,
): void {
  sql.run(
    `DELETE FROM message_flag WHERE message_id IN (SELECT value FROM json_each(?1)) AND user_id NOT IN (
       SELECT user_id FROM subscription WHERE channel_id = ?2 AND is_active = 1
     )`,
    JSON.stringify(messageIds),
    channelId,
  )
}
