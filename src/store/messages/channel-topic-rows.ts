import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import type { ReceivedRange } from '../subscriptions/period-rows.ts'
import { isReceived } from '../subscriptions/received-range-rows.ts'
import { usersWithFlags } from './flags/flag-rows.ts'
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

/** The messages of a channel that at least one of these users has received. */
export interface ReceivedByMany {
  readonly userIds: ReadonlySet<number>
  readonly ranges: readonly ReceivedRange[]
}

/**
 * The position at which a list of topics continues: after the topic with this key, and within that topic below an id, since the messages
 * above it have been checked.
 */
export interface PlaceInTopics {
  readonly after: string | undefined
  readonly topicId: number
  readonly below: number
}

/** The limits of one page of a list: topics, and rows read about their messages. */
export interface LimitsOfTopics {
  readonly topics: number
  readonly rows: number
}

/**
 * Lists the next topics, by key, in which any of many users has received a message, each with the newest such message. All of the users'
 * rows may be a million, so each topic's messages are checked instead, newest first, as far down as needed. A topic that is renamed between
 * two pages may be in neither of them, or in both.
 */
export function topicsReceivedByAny(
  sql: Sql,
  channelId: number,
  { userIds, ranges }: ReceivedByMany,
  from: PlaceInTopics,
  limits: LimitsOfTopics,
): { readonly topics: ListedTopic[]; readonly next: PlaceInTopics | null } {
  const topics: ListedTopic[] = []
  const listed = topicsOfChannelAfter(sql, channelId, from.after, limits.topics)
  const until = sql.counts.read + limits.rows
  let { after } = from
  for (const [at, topic] of listed.topics.entries()) {
    if (at > 0 && sql.counts.read >= until) return { topics, next: placeAfter(after) }
    let newest = newestReceived(sql, topic, ranges)
    let below = topic.id === from.topicId ? from.below : ABOVE_ALL
    while (newest < topic.newestMessageId) {
      const step = lookForKept(sql, topic.id, { above: newest, below }, userIds)
      if ('kept' in step) newest = step.kept
      if (step.below === null) break
      below = step.below
      if (sql.counts.read >= until) return { topics, next: { after, topicId: topic.id, below } }
    }
    topics.push(...listedWith(sql, topic, newest))
    after = topicKey(topic.name)
  }
  return { topics, next: listed.next === undefined ? null : placeAfter(listed.next) }
}

/** Returns the position after the topic with this key; without a key, the start of the list. */
export function placeAfter(after: string | undefined): PlaceInTopics {
  return { after, topicId: 0, below: ABOVE_ALL }
}

export const ABOVE_ALL = Number.MAX_SAFE_INTEGER

/** Numbers of messages, and of rows of users who keep them, that are read at once. */
const MESSAGES_LOOKED_AT = 250
const KEPT_LOOKED_AT = 1_000

/** The result of a step: the newest message that any of the users keeps, or the id below which to continue (null at the end). */
type KeptStep = { readonly kept: number; readonly below: null } | { readonly below: number | null }

/** Looks for a message that any of the users keeps among the newest of a topic's messages between two ids. */
function lookForKept(
  sql: Sql,
  topicId: number,
  { above, below }: { readonly above: number; readonly below: number },
  userIds: ReadonlySet<number>,
): KeptStep {
  const looked = sql.all<{ id: number }>(
    `SELECT id FROM message_index WHERE topic_id = ? AND topic_id > 0 AND id > ? AND id < ? ORDER BY id DESC LIMIT ?`,
    topicId,
    above,
    below,
    MESSAGES_LOOKED_AT,
  )
  const oldest = looked.at(-1)?.id
  if (oldest === undefined) return { below: null }
  const rows = sql.all<{ id: number; userId: number }>(
    `SELECT m.id, f.user_id AS userId FROM message_index m CROSS JOIN message_flag f ON f.message_id = m.id
     WHERE m.topic_id = ? AND m.topic_id > 0 AND m.id >= ? AND m.id < ? ORDER BY m.id DESC LIMIT ?`,
    topicId,
    oldest,
    below,
    KEPT_LOOKED_AT,
  )
  const found = rows.find(({ userId }) => userIds.has(userId))
  if (found) return { kept: found.id, below: null }
  if (rows.length < KEPT_LOOKED_AT) return { below: looked.length < MESSAGES_LOOKED_AT ? null : oldest }
  // More users than were read may keep the last message.
  const last = rows.at(-1)!.id
  const isKept = [...usersWithFlags(sql, [last])].some((userId) => userIds.has(userId))
  return isKept ? { kept: last, below: null } : { below: last }
}

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
