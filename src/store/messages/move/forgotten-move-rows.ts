import type { Sql, WritableSql } from '../../../core/sql.ts'

export function isMoveOfAnyMessage(sql: Sql, id: number): boolean {
  return sql.first(`SELECT 1 FROM message_index WHERE move_id = ? LIMIT 1`, id) !== undefined
}

/** A move that is the last one of no message. */
export interface MoveToForget {
  readonly previousId: number | null
  readonly fromTopicId: number | null
  /** Whether an existing message was moved again after it. */
  readonly isBeforeLiving: boolean
  /**
   * Whether it is still needed: a later move follows it, or messages that came into a channel by it still
   * exist and need its ranges.
   */
  readonly isNeeded: boolean
}

/**
 * Finds the move with this id if it may be forgotten; undefined where there is none, or it is forgotten
 * already. Moves that were inserted together have neighbouring ids, and where only one of them has ranges it
 * is the first.
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
  return (
    sql.first<{ id: number | null }>(
      `SELECT MAX(id) AS id FROM message_move WHERE from_topic_id = ? AND from_topic_id IS NOT NULL`,
      topicId,
    )?.id ?? undefined
  )
}
