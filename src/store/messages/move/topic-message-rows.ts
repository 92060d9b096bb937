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
  return sql.finds(
    `SELECT 1 AS found FROM message_index m JOIN topic t ON t.id = m.topic_id
     WHERE m.topic_id = ? AND m.topic_id > 0 AND ${SPELLED_BY_MESSAGE} <> ? LIMIT 1`,
    topicId,
    spelling,
  )
}

/** Returns the ids of the newest `limit` messages of a topic, from `from` on and below `below`, ascending. */
export function newestTopicMessageIds(
  sql: Sql,
  topicId: number,
  { from, below, limit }: { from: number; below: number; limit: number },
): number[] {
  return sql
    .values(
      `SELECT id FROM message_index WHERE topic_id = ? AND topic_id > 0 AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?`,
      topicId,
      from,
      below,
      limit,
    )
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
    const part = sql.list(
      `SELECT json_group_array(id) AS ids FROM (
         SELECT id FROM message_index
         WHERE topic_id = ?1 AND topic_id > 0 AND id > ?2 ${condition} ORDER BY id LIMIT ?3
       )`,
      topicId,
      above,
      inOneRow,
      ...params,
    )
    parts.push(part)
    if (part.length < inOneRow) return parts.flat()
  }
}

/** Returns the oldest message of a channel; null without messages. */
export function oldestMessageTo(sql: Sql, recipientId: number): number | null {
  return sql.value(`SELECT MIN(id) AS id FROM message_index WHERE recipient_id = ?`, recipientId) ?? null
}

/** Updates the index for another content; the version grows by one. `editedAt`: null for one that counts as not edited. */
export function editInIndex(
  sql: WritableSql,
  id: number,
  { bits, editedAt }: { bits: number; editedAt: number | null },
): void {
  const editedAtSecond = editedAt === null ? null : Math.floor(editedAt)
  const statement = `UPDATE message_index SET bits = ?, edited_at = ?, version = version + 1 WHERE id = ? RETURNING version`
  const version = followed(sql, () => sql.runForValue(statement, bits, editedAtSecond, id))!
  recentMessages(sql).noteChange(id, { bits, version, editedAt: editedAtSecond })
  postBits(sql, id, bits)
}

/** Records a new rendering of the same text: the former body is out of date. */
export function renderedAgainInIndex(sql: WritableSql, id: number): void {
  const statement = `UPDATE message_index SET version = version + 1 WHERE id = ? RETURNING version`
  const version = followed(sql, () => sql.runForValue(statement, id))!
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
    messageIds,
    channelId,
  )
}

export function isMoveOfAnyMessage(sql: Sql, id: number): boolean {
  return sql.finds(`SELECT 1 FROM message_index WHERE move_id = ? LIMIT 1`, id)
}

/** A move that is the last one of no message. */
export interface MoveToForget {
  readonly previousId: number | null
  readonly fromTopicId: number | null
  /** Whether an existing message was moved again after it. */
  readonly isBeforeLiving: boolean
  /** Whether it is still needed: a later move follows it, or messages that came into a channel by it still exist and need its ranges. */
  readonly isNeeded: boolean
}

/**
 * Finds the move with this id if it may be forgotten; undefined where there is none, or it is forgotten already. Moves that were inserted
 * together have neighbouring ids, and where only one of them has ranges it is the first.
 */
export function findMoveToForget(sql: Sql, id: number): MoveToForget | undefined {
  const row = sql.first<{
    previous_id: number | null
    from_topic_id: number | null
    partners: number
    living: number | null
    followers: number
  }>(
    `SELECT previous_id, from_topic_id,
       ranges IS NOT NULL AND EXISTS (
         SELECT 1 FROM message_move AS p WHERE p.id = (SELECT MIN(n.id) FROM message_move AS n WHERE n.id > m.id)
           AND p.seq = m.seq AND p.channel_id = m.channel_id AND p.ranges IS NULL
       ) AS partners,
       (SELECT MAX(forgotten IS NULL) FROM message_move AS f WHERE f.previous_id = m.id) AS living,
       EXISTS (SELECT 1 FROM message_move AS f WHERE f.previous_id = m.id) AS followers
     FROM message_move AS m WHERE id = ? AND forgotten IS NULL AND topic_id IS NULL`,
    id,
  )
  return (
    row && {
      previousId: row.previous_id,
      fromTopicId: row.from_topic_id,
      isBeforeLiving: row.living === 1,
      isNeeded: row.partners === 1 || row.followers === 1,
    }
  )
}

/** Deletes the names of topics from a move. */
export function stripMove(sql: WritableSql, id: number): void {
  sql.run(
    `UPDATE message_move SET prev_topic = NULL, topic = NULL, from_topic_id = NULL, from_spelling = NULL, forgotten = 1
     WHERE id = ?`,
    id,
  )
}

export function deleteMove(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM message_move WHERE id = ?`, id)
}

/** Returns the last move by which existing messages left this topic; undefined without one. */
export function newestMoveOutOf(sql: Sql, topicId: number): number | undefined {
  return sql.value(
    `SELECT MAX(id) AS id FROM message_move WHERE from_topic_id = ? AND from_topic_id IS NOT NULL`,
    topicId,
  )
}
