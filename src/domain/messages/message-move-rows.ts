import type { Sql } from '../../core/sql.ts'

/**
 * One move to another topic or channel, for all messages that took it together. The history of a moved
 * message is a chain of these: `message_index.move_id` is the last, `previousId` the one before. So moving
 * a thousand messages writes one row here, whatever their number, and no body is rewritten. The table
 * `message_move` is owned by this file.
 */
export interface MessageMove {
  readonly id: number
  readonly previousId: number | null
  readonly userId: number
  /** UNIX seconds. */
  readonly at: number
  /** The log id of its event: orders it among content edits, and says who was subscribed then. */
  readonly seq: number
  /** Null when the topic stayed. */
  readonly prevTopic: string | null
  readonly topic: string | null
  /** Null when the channel stayed. */
  readonly prevChannelId: number | null
  readonly channelId: number | null
  /** Protected history: everybody subscribed to the target then counts as having received the messages. */
  readonly subscribersReceived: boolean
}

/** Stretches of message ids, both ends included. */
export type IdRuns = readonly (readonly [first: number, last: number])[]

/** A move into a channel, with the messages that came by it. */
export interface MoveIntoChannel extends MessageMove {
  readonly channelId: number
  readonly prevChannelId: number
  /**
   * The stretches of ids that came: when it happened the channel had no other message within one, so that a
   * topic moved into a quiet channel is a single stretch. Where a later move covers an id, that one counts.
   */
  readonly runs: IdRuns
}

interface MoveRow {
  id: number
  previous_id: number | null
  user_id: number
  at: number
  seq: number
  prev_topic: string | null
  topic: string | null
  prev_channel_id: number | null
  channel_id: number | null
  subscribers_received: number
  runs: string | null
}

export type NewMove = Omit<MessageMove, 'id' | 'previousId'>

/**
 * Writes a move of these messages into the index, set-wise: one statement for each group with the same
 * moves before, which is nearly always one. Topic and channel are changed only where they differ, because
 * each is an index of its own.
 */
export function moveMessages(
  sql: Sql,
  messageIds: readonly number[],
  move: NewMove,
  target: { readonly topicId?: number; readonly recipientId?: number; readonly movedAt?: number },
  runs: IdRuns | null,
): void {
  const groups = groupsByLastMove(sql, messageIds)
  for (const group of groups) {
    // Between two messages of one group there may be some of another.
    const ownRuns = groups.length === 1 ? runs : runs && group.ids.map((id) => [id, id] as const)
    const moveId = insertMove(sql, group.lastMove, move, ownRuns)
    const changes: [column: string, value: number][] = [['move_id', moveId]]
    if (target.topicId !== undefined) changes.push(['topic_id', target.topicId])
    if (target.recipientId !== undefined) changes.push(['recipient_id', target.recipientId])
    if (target.movedAt !== undefined) changes.push(['moved_at', Math.floor(target.movedAt)])
    sql.run(
      `UPDATE message_index SET ${changes.map(([column]) => `${column} = ?`).join(', ')}
       WHERE id IN (SELECT value FROM json_each(?))`,
      ...changes.map(([, value]) => value),
      JSON.stringify(group.ids),
    )
  }
}

/**
 * The stretches of `messageIds` (ascending) in which the channel has none of its own messages. To be asked
 * before they are moved there.
 */
export function runsBetween(sql: Sql, recipientId: number, messageIds: readonly number[]): IdRuns {
  const rows = sql.all<{ id: number; parted: number }>(
    `SELECT id, prev IS NULL OR EXISTS (
       SELECT 1 FROM message_index n WHERE n.recipient_id = ?2 AND n.id > prev AND n.id < moved.id
     ) AS parted
     FROM (SELECT value AS id, lag(value) OVER (ORDER BY value) AS prev FROM json_each(?1)) AS moved
     ORDER BY id`,
    JSON.stringify(messageIds),
    recipientId,
  )
  const runs: [number, number][] = []
  for (const { id, parted } of rows) {
    if (parted === 1) runs.push([id, id])
    else runs.at(-1)![1] = id
  }
  return runs
}

/** What came into these channels by moves, oldest first. */
export function listMovesInto(sql: Sql, channelIds: readonly number[]): MoveIntoChannel[] {
  return sql
    .all<MoveRow>(
      `SELECT * FROM message_move WHERE runs IS NOT NULL
         AND channel_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
      JSON.stringify(channelIds),
    )
    .map((row) => ({
      ...moveOf(row),
      channelId: row.channel_id!,
      prevChannelId: row.prev_channel_id!,
      runs: JSON.parse(row.runs!) as IdRuns,
    }))
}

/** Of each of these moves: itself and those before it, newest first. */
export function listMoveChains(sql: Sql, lastMoveIds: readonly number[]): Map<number, MessageMove[]> {
  if (lastMoveIds.length === 0) return new Map()
  const rows = sql.all<MoveRow & { last: number }>(
    `WITH RECURSIVE chain (last, id) AS (
       SELECT DISTINCT value, value FROM json_each(?)
       UNION ALL
       SELECT chain.last, m.previous_id FROM chain JOIN message_move m ON m.id = chain.id
         WHERE m.previous_id IS NOT NULL
     )
     SELECT chain.last, m.* FROM chain JOIN message_move m ON m.id = chain.id ORDER BY chain.last, m.id DESC`,
    JSON.stringify(lastMoveIds),
  )
  const chains = new Map<number, MessageMove[]>()
  for (const row of rows) {
    const chain = chains.get(row.last)
    if (chain) chain.push(moveOf(row))
    else chains.set(row.last, [moveOf(row)])
  }
  return chains
}

function groupsByLastMove(
  sql: Sql,
  messageIds: readonly number[],
): { lastMove: number | null; ids: number[] }[] {
  return sql
    .all<{ move_id: number | null; ids: string }>(
      `SELECT move_id, json_group_array(id) AS ids FROM message_index
       WHERE id IN (SELECT value FROM json_each(?)) GROUP BY move_id`,
      JSON.stringify(messageIds),
    )
    .map(({ move_id, ids }) => ({
      lastMove: move_id,
      ids: (JSON.parse(ids) as number[]).sort((a, b) => a - b),
    }))
}

function insertMove(sql: Sql, previousId: number | null, move: NewMove, runs: IdRuns | null): number {
  return sql.first<{ id: number }>(
    `INSERT INTO message_move (previous_id, user_id, at, seq, prev_topic, topic, prev_channel_id, channel_id,
       subscribers_received, runs) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    previousId,
    move.userId,
    Math.floor(move.at),
    move.seq,
    move.prevTopic,
    move.topic,
    move.prevChannelId,
    move.channelId,
    Number(move.subscribersReceived),
    runs && JSON.stringify(runs),
  )!.id
}

function moveOf(row: MoveRow): MessageMove {
  return {
    id: row.id,
    previousId: row.previous_id,
    userId: row.user_id,
    at: row.at,
    seq: row.seq,
    prevTopic: row.prev_topic,
    topic: row.topic,
    prevChannelId: row.prev_channel_id,
    channelId: row.channel_id,
    subscribersReceived: row.subscribers_received === 1,
  }
}
