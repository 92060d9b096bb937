import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

/**
 * A topic. Topics match without regard to case, and messages keep their spelling: topic-of-message.ts has a
 * message's name, channel-topic-rows.ts a topic's (docs/interface/conventions.md#topics).
 */
export interface Topic {
  readonly id: number
  readonly channelId: number
  /** The name in the spelling of the first message, or of the last move of the whole topic; used for matching. */
  readonly name: string
  /** The last of the moves of the whole topic (move/message-move-rows.ts); null for most. */
  readonly moved: { readonly moveId: number; readonly upTo: number } | null
}

interface TopicRow extends Omit<Topic, 'moved'> {
  readonly moveId: number | null
  readonly movedUpTo: number | null
}

const TOPICS = new Rows<TopicRow>('topic', 'id channel_id name move_id moved_up_to')

/**
 * SQL: the spelling of the topic `t` in its message `m`. A message's own spelling counts until the topic
 * moves as a whole (topic-of-message.ts does the same for rows that have been read).
 */
export const SPELLED_BY_MESSAGE =
  'iif(m.topic_spelling IS NULL OR (m.id <= t.moved_up_to AND ifnull(m.move_id, 0) < t.move_id), t.name, m.topic_spelling)'

export function topicKey(name: string): string {
  return name.toLowerCase()
}

export function findTopic(sql: Sql, channelId: number, name: string): Topic | undefined {
  const key = topicKey(name)
  return sql.kept(`topic ${channelId} ${key}`, () => {
    const row = TOPICS.find(sql, `WHERE channel_id = ? AND name_key = ?`, channelId, key)
    return row && topicOf(row)
  })
}

export function topicById(sql: Sql, id: number): Topic | undefined {
  return sql.kept(`topic by id ${id}`, () => {
    const read = () => TOPICS.find(sql, `WHERE id = ?`, id)
    const row = sql.about('topic', id, read)
    return row && topicOf(row)
  })
}

/** Number of topics up to which each is looked up, and kept: those of unread messages, which every registration of a user has. */
const FEW_TOPICS = 50

export function topicsById(sql: Sql, ids: readonly number[]): Map<number, Topic> {
  if (ids.length <= FEW_TOPICS) {
    const found = ids.flatMap((id) => topicById(sql, id) ?? [])
    return new Map(found.map((topic) => [topic.id, topic]))
  }
  const rows = TOPICS.list(sql, `WHERE id IN (SELECT value FROM json_each(?))`, ids)
  return new Map(rows.map((row) => [row.id, topicOf(row)]))
}

/** Returns topics of one name in several channels: pairs of channel id and topic id. `key` as by `topicKey`. */
export function topicIdsNamed(sql: Sql, channelIds: readonly number[], key: string): [number, number][] {
  return TOPICS.list(
    sql,
    `WHERE channel_id IN (SELECT value FROM json_each(?)) AND name_key = ?`,
    channelIds,
    key,
  ).map(({ id, channelId }) => [channelId, id])
}

/** Returns the ids of topics whose names have a prefix, as `topicIdsNamed` does. */
export function topicIdsPrefixed(
  sql: Sql,
  channelIds: readonly number[],
  prefix: string,
): [number, number][] {
  return TOPICS.list(
    sql,
    `WHERE channel_id IN (SELECT value FROM json_each(?1)) AND name_key >= ?2 AND name_key < ?3`,
    channelIds,
    topicKey(prefix),
    `${topicKey(prefix)}\u{10ffff}`,
  ).map(({ id, channelId }) => [channelId, id])
}

/** Returns the topic of this name, made when it is new. Its name changes only together with all of its messages, which rely on it. */
export function openTopic(sql: WritableSql, channelId: number, name: string): Topic {
  const existing = findTopic(sql, channelId, name)
  if (existing) return existing
  const statement = `INSERT INTO topic (channel_id, name, name_key) VALUES (?, ?, ?) RETURNING id`
  const insert = () => sql.runForValue(statement, channelId, name, topicKey(name))!
  const id = sql.changing('topic', (made) => [made], insert)
  return { id, channelId, name, moved: null }
}

/** Returns the topics, of those with ids above `above` and up to `upTo`, whose name contains one of the texts (lower case). */
export function topicsContaining(
  sql: Sql,
  texts: readonly string[],
  above: number,
  upTo: number,
): { id: number; name: string }[] {
  return sql.all<{ id: number; name: string }>(
    `SELECT id, name FROM topic WHERE id > ?1 AND id <= ?2 AND (${containsAny(texts, 3)})`,
    above,
    upTo,
    ...texts,
  )
}

/** Returns those of the topics whose name contains one of the texts (lower case). */
export function topicsAmongContaining(
  sql: Sql,
  texts: readonly string[],
  ids: readonly number[],
): { id: number; name: string }[] {
  return sql.all<{ id: number; name: string }>(
    `SELECT id, name FROM topic WHERE id IN (SELECT value FROM json_each(?1)) AND (${containsAny(texts, 2)})`,
    ids,
    ...texts,
  )
}

function containsAny(texts: readonly string[], firstParam: number): string {
  return texts.map((_, at) => `instr(name_key, ?${at + firstParam}) > 0`).join(' OR ')
}

export function newestTopicId(sql: Sql): number {
  return sql.value(`SELECT MAX(id) AS id FROM topic`) ?? 0
}

/** Renames a topic to a name that no other topic of the channel has, by this move of all its messages. */
export function renameTopic(sql: WritableSql, id: number, name: string, moveId: number, upTo: number): void {
  sql.run(
    `UPDATE topic SET name = ?, name_key = ?, move_id = ?, moved_up_to = ? WHERE id = ?`,
    name,
    topicKey(name),
    moveId,
    upTo,
    id,
  )
}

/** Sets the last of its moves, after later ones are forgotten; null: none is left. */
export function setMoveOfTopic(sql: WritableSql, id: number, moved: Topic['moved']): void {
  sql.run(
    `UPDATE topic SET move_id = ?, moved_up_to = ? WHERE id = ?`,
    moved?.moveId ?? null,
    moved?.upTo ?? null,
    id,
  )
}

/** Deletes a topic without messages. */
export function deleteTopicRow(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM topic WHERE id = ?`, id)
}

function topicOf({ moveId, movedUpTo, ...topic }: TopicRow): Topic {
  return { ...topic, moved: moveId === null ? null : { moveId, upTo: movedUpTo! } }
}

/** Returns distinct senders and reactors of a topic, and `alsoId`, who is about to join it; at most `limit`. */
export function topicParticipants(sql: Sql, topicId: number, alsoId: number, limit = 10_000): number[] {
  const rows = sql.values(
    `SELECT DISTINCT id FROM (
       SELECT sender_id AS id FROM message_index WHERE topic_id = ?1 AND topic_id > 0
       UNION
       SELECT r.user_id FROM message_index m JOIN reaction r ON r.message_id = m.id
         WHERE m.topic_id = ?1 AND m.topic_id > 0
     ) LIMIT ?2`,
    topicId,
    limit,
  )
  return [...new Set([...rows, alsoId])]
}

/** Queries about topics for pages without an account: each is limited, however long a channel or a topic is. */

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
  return sql.values(
    `SELECT id FROM message_index WHERE topic_id = ? AND topic_id > 0 AND id >= ? ORDER BY id LIMIT ?`,
    topicId,
    from,
    limit,
  )
}

/** Returns ids of a topic before one, descending. */
export function idsOfTopicBefore(sql: Sql, topicId: number, before: number, limit: number): number[] {
  return sql.values(
    `SELECT id FROM message_index WHERE topic_id = ? AND topic_id > 0 AND id < ? ORDER BY id DESC LIMIT ?`,
    topicId,
    before,
    limit,
  )
}

/** Records topics whose last message was deleted, and since when. The table `emptied_topic` is owned by this file. */
export function putEmptiedTopic(sql: WritableSql, topicId: number, since: number): void {
  sql.run(
    `INSERT INTO emptied_topic (topic_id, since) VALUES (?1, ?2) ON CONFLICT (topic_id) DO UPDATE SET since = ?2`,
    topicId,
    Math.floor(since),
  )
}

/**
 * Deletes the names of up to `limit` topics that have been empty since before `time` (UNIX seconds), except those from which messages were
 * moved, or which moved as a whole: the history of messages needs them. Returns how many it has checked.
 */
export function forgetEmptiedTopics(sql: WritableSql, time: number, limit: number): number {
  const due = sql.values(
    `SELECT topic_id AS id FROM emptied_topic WHERE since <= ? ORDER BY since, topic_id LIMIT ?`,
    time,
    limit,
  )
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
  return sql.value(`SELECT MIN(since) AS since FROM emptied_topic`)
}
