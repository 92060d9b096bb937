import { fromJson, type JsonText } from '../../../core/json.ts'
import type { Sql, WritableSql } from '../../../core/sql.ts'
import { Rows } from '../../select-rows.ts'
import { followed, recentMessages } from '../recent-message-rows.ts'
import { SPELLED_BY_MESSAGE, topicKey } from '../topic-rows.ts'

/**
 * One move to another topic or channel, for all messages that took it together. The history of a moved
 * message is a chain of these: `message_index.move_id` is the last, `previousId` the one before. So moving a
 * thousand messages writes one row here, whatever their number, and no body is rewritten. Where a whole topic
 * moves within its channel, not even the index is (moves-of-messages.ts puts both together). The table
 * `message_move` is owned by this file.
 */
export interface MessageMove {
  readonly id: number
  readonly previousId: number | null
  readonly userId: number
  /** UNIX seconds. */
  readonly at: number
  /** Log id of its event, which orders it among content edits, and decides who was subscribed then. */
  readonly seq: number
  /** Null when the topic stayed. */
  readonly prevTopic: string | null
  readonly topic: string | null
  /** Null when the channel stayed. */
  readonly prevChannelId: number | null
  readonly channelId: number | null
  /** Whether the target has protected history: then everybody subscribed to it counts as having received the messages. */
  readonly subscribersReceived: boolean
  /** The time at which its messages count as moved: null where the topic was only resolved, absent where only the index knows. */
  readonly movedAt?: number | null
}

/** A move into a channel, with the messages that came by it. */
export interface MoveIntoChannel extends MessageMove {
  readonly channelId: number
  readonly prevChannelId: number
  /**
   * Ranges of the moved ids: at that time the channel had no other message within one, so that a topic moved
   * into a quiet channel is a single range. Where a later move covers an id, the later one counts.
   */
  readonly ranges: IdRanges
}

/** Ranges of message ids, both ends included. */
type IdRanges = readonly (readonly [first: number, last: number])[]

/** A move of single messages, with their former location. */
export interface MoveOfMessages extends MessageMove {
  /** Null for forgotten moves (`stripMove`). */
  readonly fromTopicId: number | null
  /** The spelling of that topic in the index. */
  readonly fromSpelling: string | null
}

/** A move of everything in a topic: of its messages up to `upTo` that did not come into it later. */
export interface MoveOfTopic extends MessageMove {
  readonly topicId: number
  readonly upTo: number
}

/** Columns of a move without its ranges: there may be a thousand. */
const COLUMNS =
  'id previous_id user_id at seq prev_topic topic prev_channel_id channel_id subscribers_received:flag moved_at'

const MOVES_INTO = new Rows<MoveIntoChannel>('message_move m', `${COLUMNS} ranges:json`)
const MOVES_OF_TOPICS = new Rows<MoveOfTopic>('message_move m', `${COLUMNS} topic_id up_to`)
const MOVES_OF_MESSAGES = new Rows<MoveOfMessages & { readonly last: number }>(
  'message_move m',
  `${COLUMNS} from_topic_id from_spelling`,
)

/** A move to write. The former spelling of each message's topic is looked up. */
export type NewMove = Omit<MessageMove, 'id' | 'previousId' | 'prevTopic' | 'movedAt'>

/** Columns of the index that a move changes. */
export interface MoveTarget {
  /** Undefined when it stays, though perhaps in another case. */
  readonly topicId?: number
  /** Name of the topic in which they are afterwards, in its own spelling. */
  readonly topicName: string
  readonly recipientId?: number
  readonly movedAt?: number
}

/**
 * Writes a move of these messages into the index, set-wise: one statement for each group with the same earlier moves and the same spelling
 * of the topic, which is nearly always one. Topic and channel are changed only where they differ, because each has an index of its own.
 */
export function moveMessages(
  sql: WritableSql,
  messageIds: readonly number[],
  move: NewMove,
  target: MoveTarget,
  ranges: IdRanges | null,
): void {
  const groups = groupsMovedAlike(sql, messageIds)
  const pasts = new Set(groups.map(({ lastMove }) => lastMove))
  const apart = ranges && pasts.size > 1 ? rangesOfGroups(groups, ranges) : undefined
  for (const [index, group] of groups.entries()) {
    // Between two messages with one history there may be some with another. Where only the spelling differs,
    // the first row counts for all: they came the same way.
    const together = index === 0 ? ranges : null
    const ownRanges = pasts.size === 1 ? together : (apart?.get(group) ?? null)
    const moveId = insertMove(sql, group, move, target, ownRanges)
    const changes: [column: string, value: number][] = [['move_id', moveId]]
    if (target.topicId !== undefined) changes.push(['topic_id', target.topicId])
    if (target.recipientId !== undefined) changes.push(['recipient_id', target.recipientId])
    if (target.movedAt !== undefined) changes.push(['moved_at', Math.floor(target.movedAt)])
    followed(sql, () =>
      sql.run(
        `UPDATE message_index SET ${changes.map(([column]) => `${column} = ?`).join(', ')},
           topic_spelling = NULLIF(?, ?)
         WHERE id IN (SELECT value FROM json_each(?))`,
        ...changes.map(([, value]) => value),
        move.topic ?? group.topic,
        target.topicName,
        group.ids,
      ),
    )
    recentMessages(sql).noteMoved(group.ids)
  }
}

/** Puts a message into another topic of its channel as if it had come there: that is no move. `name`: the topic in the message's spelling. */
export function putInTopic(
  sql: WritableSql,
  messageId: number,
  topic: { id: number; name: string },
  name: string,
): void {
  const statement = `UPDATE message_index SET topic_id = ?, topic_spelling = NULLIF(?, ?) WHERE id = ?`
  followed(sql, () => sql.run(statement, topic.id, name, topic.name, messageId))
  recentMessages(sql).noteMoved([messageId])
}

/** Splits the ranges by group: a range ends where a message of another group comes between. */
function rangesOfGroups(
  groups: readonly MovedAlike[],
  ranges: IdRanges,
): Map<MovedAlike, [number, number][]> {
  const moved = groups.flatMap((group) => group.ids.map((id) => ({ id, group }))).sort((a, b) => a.id - b.id)
  const apart = new Map<MovedAlike, [number, number][]>(groups.map((group) => [group, []]))
  let [at, before] = [0, -1]
  let last: MovedAlike | undefined
  for (const { id, group } of moved) {
    while (ranges[at]![1] < id) at += 1
    const own = apart.get(group)!
    if (last === group && before === at) own.at(-1)![1] = id
    else own.push([id, id])
    last = group
    before = at
  }
  return apart
}

/**
 * Returns the ranges of `messageIds` (ascending) in which the channel has none of its own messages. Must be
 * called before they are moved there.
 */
export function rangesBetween(sql: Sql, recipientId: number, messageIds: readonly number[]): IdRanges {
  const rows = sql.all<{ id: number; parted: number }>(
    `SELECT id, prev IS NULL OR EXISTS (
       SELECT 1 FROM message_index n WHERE n.recipient_id = ?2 AND n.id > prev AND n.id < moved.id
     ) AS parted
     FROM (SELECT value AS id, lag(value) OVER (ORDER BY value) AS prev FROM json_each(?1)) AS moved
     ORDER BY id`,
    messageIds,
    recipientId,
  )
  const ranges: [number, number][] = []
  for (const { id, parted } of rows) {
    if (parted === 1) ranges.push([id, id])
    else ranges.at(-1)![1] = id
  }
  return ranges
}

/** Lists the moves that put messages into these channels, oldest first. */
export function listMovesInto(sql: Sql, channelIds: readonly number[]): MoveIntoChannel[] {
  return MOVES_INTO.list(
    sql,
    `WHERE ranges IS NOT NULL AND channel_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    channelIds,
  )
}

export function isMovedInto(sql: Sql, channelId: number): boolean {
  return sql.finds(
    `SELECT 1 FROM message_move WHERE ranges IS NOT NULL AND channel_id = ? LIMIT 1`,
    channelId,
  )
}

/** Returns those of the channels into which messages were moved. */
export function channelsMovedInto(sql: Sql, channelIds: readonly number[]): Set<number> {
  const rows = sql.values(
    `SELECT value AS id FROM json_each(?) WHERE EXISTS (
       SELECT 1 FROM message_move WHERE ranges IS NOT NULL AND channel_id = value
     )`,
    channelIds,
  )
  return new Set(rows)
}

/** Returns the chain of each of these moves: itself and earlier ones, newest first. */
export function listMoveChains(sql: Sql, lastMoveIds: readonly number[]): Map<number, MoveOfMessages[]> {
  if (lastMoveIds.length === 0) return new Map()
  const rows = MOVES_OF_MESSAGES.all(
    sql,
    `WITH RECURSIVE chain (last, id) AS (
       SELECT DISTINCT value, value FROM json_each(?)
       UNION ALL
       SELECT chain.last, m.previous_id FROM chain JOIN message_move m ON m.id = chain.id
         WHERE m.previous_id IS NOT NULL
     )
     SELECT chain.last, ${MOVES_OF_MESSAGES.columns} FROM chain JOIN message_move m ON m.id = chain.id ORDER BY chain.last, m.id DESC`,
    lastMoveIds,
  )
  const chains = new Map<number, MoveOfMessages[]>()
  for (const { last, ...move } of rows) {
    const chain = chains.get(last)
    if (chain) chain.push(move)
    else chains.set(last, [move])
  }
  return chains
}

/** Lists moves of these topics as a whole: by topic, oldest first. */
export function listMovesOfTopics(sql: Sql, topicIds: readonly number[]): Map<number, MoveOfTopic[]> {
  if (topicIds.length === 0) return new Map()
  const moves = MOVES_OF_TOPICS.all(
    sql,
    `SELECT ${MOVES_OF_TOPICS.columns} FROM json_each(?) AS wanted
     CROSS JOIN message_move m ON m.topic_id = wanted.value AND m.topic_id IS NOT NULL ORDER BY m.id`,
    topicIds,
  )
  return Map.groupBy(moves, ({ topicId }) => topicId)
}

/** Whether a move of a topic as a whole has changed the case of its name alone. */
export function isRespelling(sql: Sql, id: number): boolean {
  const { prevTopic = null, topic = null } =
    MOVES_OF_TOPICS.find(sql, `WHERE id = ? AND topic_id IS NOT NULL`, id) ?? {}
  return prevTopic !== null && topic !== null && topicKey(prevTopic) === topicKey(topic)
}

/** Number of messages, the newest, among which one that moved with its topic is looked for: it is nearly always the first. */
const LOOKED_AMONG = 100

/** Whether a message is left in the topic that has taken part in this move of the topic as a whole. */
export function hasMovedWithTopic(
  sql: Sql,
  topicId: number,
  { moveId, upTo }: { readonly moveId: number; readonly upTo: number },
): boolean {
  return sql.finds(
    `SELECT 1 FROM (
       SELECT move_id FROM message_index WHERE topic_id = ? AND topic_id > 0 AND id <= ? ORDER BY id DESC LIMIT ${LOOKED_AMONG}
     ) WHERE ifnull(move_id, 0) < ? LIMIT 1`,
    topicId,
    upTo,
    moveId,
  )
}

/** Inserts a move of everything in a topic; returns its id. `prevTopic`: in the topic's own spelling. */
export function insertTopicMove(
  sql: WritableSql,
  { subscribersReceived: _, ...move }: Omit<MoveOfTopic, 'id' | 'previousId'>,
): number {
  const movedAt = move.movedAt == null ? null : Math.floor(move.movedAt)
  return MOVES_OF_TOPICS.insertNew(sql, { ...move, at: Math.floor(move.at), movedAt })
}

/** Messages of one topic with the same earlier moves and the same spelling. */
interface MovedAlike {
  readonly lastMove: number | null
  readonly topicId: number
  readonly topic: string
  /** The spelling in the index, which may be older than the topic's own last move. */
  readonly spelling: string | null
  /** Ascending ids. */
  readonly ids: readonly number[]
}

function groupsMovedAlike(sql: Sql, messageIds: readonly number[]): MovedAlike[] {
  return sql
    .all<{
      move_id: number | null
      topic_id: number
      topic: string
      spelling: string | null
      ids: JsonText<number[]>
    }>(
      `SELECT m.move_id, m.topic_id, ${SPELLED_BY_MESSAGE} AS topic, m.topic_spelling AS spelling,
         json_group_array(m.id) AS ids
       FROM message_index m JOIN topic t ON t.id = m.topic_id
       WHERE m.id IN (SELECT value FROM json_each(?)) GROUP BY m.move_id, m.topic_id, 3, m.topic_spelling`,
      messageIds,
    )
    .map(({ move_id, topic_id, topic, spelling, ids }) => ({
      lastMove: move_id,
      topicId: topic_id,
      topic,
      spelling,
      ids: fromJson(ids).sort((a, b) => a - b),
    }))
}

function insertMove(
  sql: WritableSql,
  { lastMove, topicId, topic: prevTopic, spelling }: MovedAlike,
  move: NewMove,
  { movedAt }: MoveTarget,
  ranges: IdRanges | null,
): number {
  const row = {
    ...move,
    previousId: lastMove,
    at: Math.floor(move.at),
    prevTopic: move.topic === null ? null : prevTopic,
    fromTopicId: topicId,
    fromSpelling: spelling,
    movedAt: movedAt === undefined ? null : Math.floor(movedAt),
  }
  return MOVES_OF_MESSAGES.insertNew(sql, row, { ranges: ranges && JSON.stringify(ranges) })
}

/** Whether any of the messages has been moved by an event above this one, one by one or with others of its topic. */
export function isAnyMovedSince(sql: Sql, messageIds: readonly number[], eventId: number): boolean {
  return sql.finds(
    `SELECT 1 FROM json_each(?1) j CROSS JOIN message_index m ON m.id = j.value
       JOIN message_move v ON v.id = m.move_id WHERE v.seq > ?2 LIMIT 1`,
    messageIds,
    eventId,
  )
}
