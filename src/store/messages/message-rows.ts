import { fromJson, type JsonText } from '../../core/json.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Sql, SqlValue, WritableSql } from '../../core/sql.ts'
import { META_VALUE, type MetaKey } from '../meta-rows.ts'

/**
 * One line of the message index (docs/decisions/design.md#no-row-for-each-recipient): everything but the
 * body.
 */
export interface IndexedMessage {
  readonly id: number
  readonly recipientId: number
  /** 0 in direct conversations. */
  readonly topicId: number
  /** The message's spelling of its topic; null if it is the topic's own (topic-of-message.ts). */
  readonly topicSpelling: string | null
  readonly senderId: number
  readonly clientId: number
  /** UNIX seconds. */
  readonly sentAt: number
  readonly bits: number
  /** Number of content edits; the body in D1 has the same number. */
  readonly version: number
  readonly editedAt: number | null
  readonly movedAt: number | null
  /** The last of its moves, in message_move. */
  readonly moveId: number | null
}

export interface MessageRow {
  id: number
  recipient_id: number
  topic_id: number
  topic_spelling: string | null
  sender_id: number
  client_id: number
  sent_at: number
  bits: number
  version: number
  edited_at: number | null
  moved_at: number | null
  move_id: number | null
}

export const MESSAGE_COLUMNS =
  'm.id, m.recipient_id, m.topic_id, m.topic_spelling, m.sender_id, m.client_id, m.sent_at, m.bits, m.version, m.edited_at, m.moved_at, m.move_id'

export function findMessage(sql: Sql, id: number): IndexedMessage | undefined {
  const row = sql.first<MessageRow>(`SELECT ${MESSAGE_COLUMNS} FROM message_index m WHERE id = ?`, id)
  return row && messageOf(row)
}

/** Finds messages by id, ascending; unknown ids are left out. */
export function findMessages(sql: Sql, ids: readonly number[]): IndexedMessage[] {
  if (ids.length === 0) return []
  let [first, last] = [Number.MAX_SAFE_INTEGER, 0]
  for (const id of ids) [first, last] = [Math.min(first, id), Math.max(last, id)]
  // A row that is named in JSON counts three times.
  if (last - first < 2 * ids.length) {
    const wanted = new Set(ids)
    return messagesBetween(sql, first, last).filter(({ id }) => wanted.has(id))
  }
  return sql
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_index m WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
      JSON.stringify(ids),
    )
    .map(messageOf)
}

/** Returns the messages from the first id to the last. */
function messagesBetween(sql: Sql, first: number, last: number): IndexedMessage[] {
  return sql
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_index m WHERE id BETWEEN ? AND ? ORDER BY id`,
      first,
      last,
    )
    .map(messageOf)
}

/** The columns in their order. */
type MessageValues = [
  id: number,
  recipientId: number,
  topicId: number,
  topicSpelling: string | null,
  senderId: number,
  clientId: number,
  sentAt: number,
  bits: number,
  version: number,
  editedAt: number | null,
  movedAt: number | null,
  moveId: number | null,
]

const MESSAGE_VALUES = MESSAGE_COLUMNS.replaceAll('m.', '')

/**
 * Returns the messages that a query for MESSAGE_COLUMNS finds, in its order. The query must have a LIMIT. They come in one row, as JSON: in rows of their
 * own a hundred take 0.15 ms instead of 0.09.
 */
export function messagesInARow(sql: Sql, query: string, ...params: SqlValue[]): IndexedMessage[] {
  const { messages } = sql.first<{ messages: JsonText<MessageValues[]> }>(
    `SELECT json_group_array(json_array(${MESSAGE_VALUES})) AS messages FROM (${query})`,
    ...params,
  )!
  return fromJson(messages).map(
    ([
      id,
      recipientId,
      topicId,
      topicSpelling,
      senderId,
      clientId,
      sentAt,
      bits,
      version,
      editedAt,
      movedAt,
      moveId,
    ]) => ({
      id,
      recipientId,
      topicId,
      topicSpelling,
      senderId,
      clientId,
      sentAt,
      bits,
      version,
      editedAt,
      movedAt,
      moveId,
    }),
  )
}

/** Returns the highest id ever given to a message; ids of deleted messages are not reused. */
export function newestMessageId(sql: Sql): number {
  const given = sql.first<{ id: number | null; floor: number | null }>(
    `SELECT (SELECT MAX(id) FROM message_index) AS id, ${META_VALUE} AS floor`,
    'message_id_floor' satisfies MetaKey,
  )
  return Math.max(given?.id ?? 0, given?.floor ?? 0)
}

/** Returns the newest messages of any channels above an id, newest first. */
export function newestInAnyChannel(sql: Sql, above: number, limit: number): IndexedMessage[] {
  // The three kinds of recipients have numbers in turn.
  return sql
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_index m WHERE id > ? AND recipient_id % 3 = ? ORDER BY id DESC LIMIT ?`,
      above,
      channelRecipientId(0),
      limit,
    )
    .map(messageOf)
}

/** Returns the newest messages of a channel or conversation above an id, newest first. */
export function newestMessageIdsOf(sql: Sql, recipientId: number, limit: number, above = 0): number[] {
  return sql
    .all<{ id: number }>(
      `SELECT id FROM message_index WHERE recipient_id = ? AND id > ? ORDER BY id DESC LIMIT ?`,
      recipientId,
      above,
      limit,
    )
    .map(({ id }) => id)
}

/** Returns the newest messages of a channel or conversation above an id, newest first. */
export function newestMessagesTo(
  sql: Sql,
  recipientId: number,
  above: number,
  limit: number,
): IndexedMessage[] {
  return sql
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_index m WHERE recipient_id = ? AND id > ? ORDER BY id DESC LIMIT ?`,
      recipientId,
      above,
      limit,
    )
    .map(messageOf)
}

/**
 * Returns those of the newest `limit` messages that were sent at `since` (UNIX seconds) or later; oldest
 * first.
 */
export function newestMessagesSince(sql: Sql, since: number, limit: number): IndexedMessage[] {
  return sql
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_index m
       WHERE m.id > (SELECT MAX(id) FROM message_index) - ?2 AND m.sent_at >= ?1 ORDER BY m.id LIMIT ?2`,
      since,
      limit,
    )
    .map(messageOf)
}

/** A message as a repeated send finds it. */
export interface SentBefore {
  readonly id: number
  readonly bits: number
}

/** Finds the message that was sent with this key since `since` (UNIX seconds). */
export function findMessageBySendKey(sql: Sql, sendKey: string, since: number): SentBefore | undefined {
  return sql.first<SentBefore & object>(
    `SELECT id, bits FROM message_index WHERE send_key = ? AND send_key IS NOT NULL AND sent_at >= ? ORDER BY id DESC LIMIT 1`,
    sendKey,
    since,
  )
}

/** Finds a message whose send key begins with this text. */
export function findMessageBySendKeyPrefix(
  sql: Sql,
  prefix: string,
  since: number,
): (SentBefore & { sendKey: string }) | undefined {
  const row = sql.first<{ id: number; bits: number; send_key: string }>(
    `SELECT id, bits, send_key FROM message_index
     WHERE send_key >= ?1 AND send_key < ?2 AND send_key IS NOT NULL AND sent_at >= ?3 ORDER BY id DESC LIMIT 1`,
    prefix,
    `${prefix}~`,
    since,
  )
  return row && { id: row.id, bits: row.bits, sendKey: row.send_key }
}

/** Returns messages of a topic with lower ids than `below`, newest first. */
export function messagesOfTopicBelow(
  sql: Sql,
  topicId: number,
  below: number,
  limit: number,
): IndexedMessage[] {
  return sql
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_index m
       WHERE topic_id = ? AND topic_id > 0 AND id < ? ORDER BY id DESC LIMIT ?`,
      topicId,
      below,
      limit,
    )
    .map(messageOf)
}

/** Returns messages of a topic from an id on, the first `limit`, ascending. */
export function messagesOfTopicFrom(
  sql: Sql,
  topicId: number,
  from: number,
  limit: number,
): IndexedMessage[] {
  return sql
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_index m
       WHERE topic_id = ? AND topic_id > 0 AND id >= ? ORDER BY id LIMIT ?`,
      topicId,
      from,
      limit,
    )
    .map(messageOf)
}

/** Returns the messages of one channel or conversation from an id on. */
export function messagesOfRecipientFrom(
  sql: Sql,
  recipientId: number,
  from: number,
  limit: number,
): IndexedMessage[] {
  return sql
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_index m WHERE recipient_id = ? AND id >= ? ORDER BY id LIMIT ?`,
      recipientId,
      from,
      limit,
    )
    .map(messageOf)
}

/** Returns the newest `limit` messages from an id on that mention all of their channel, ascending. */
export function wildcardMessagesFrom(sql: Sql, from: number, limit: number): IndexedMessage[] {
  return sql
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_index m
       WHERE (bits & 32) != 0 AND id >= ? ORDER BY id DESC LIMIT ?`,
      from,
      limit,
    )
    .map(messageOf)
    .reverse()
}

/** Returns the newest message of a topic; undefined without messages. */
export function newestMessageOfTopic(sql: Sql, topicId: number): number | undefined {
  return (
    sql.first<{ id: number | null }>(
      `SELECT MAX(id) AS id FROM message_index WHERE topic_id = ? AND topic_id > 0`,
      topicId,
    )?.id ?? undefined
  )
}

/** Returns the id of a topic's oldest message; undefined without messages. */
export function oldestMessageOfTopic(sql: Sql, topicId: number): number | undefined {
  return (
    sql.first<{ id: number | null }>(
      `SELECT MIN(id) AS id FROM message_index WHERE topic_id = ? AND topic_id > 0`,
      topicId,
    )?.id ?? undefined
  )
}

export function hasMessages(sql: Sql, recipientId: number): boolean {
  return sql.first(`SELECT 1 FROM message_index WHERE recipient_id = ? LIMIT 1`, recipientId) !== undefined
}

export function messageOf(row: MessageRow): IndexedMessage {
  return {
    id: row.id,
    recipientId: row.recipient_id,
    topicId: row.topic_id,
    topicSpelling: row.topic_spelling,
    senderId: row.sender_id,
    clientId: row.client_id,
    sentAt: row.sent_at,
    bits: row.bits,
    version: row.version,
    editedAt: row.edited_at,
    movedAt: row.moved_at,
    moveId: row.move_id,
  }
}

/** Whether the channels and conversations together have fewer messages than a limit. Counts no further. */
export function haveFewer(
  sql: Sql,
  ranges: readonly { readonly recipientId: number; readonly since: number; readonly until: number }[],
  limit: number,
): boolean {
  let left = limit
  for (const { recipientId, since, until } of ranges) {
    if (left <= 0) return false
    left -= sql.first<{ count: number }>(
      `SELECT COUNT(*) AS count FROM (
         SELECT 1 FROM message_index WHERE recipient_id = ? AND id > ? AND id <= ? LIMIT ?
       )`,
      recipientId,
      since,
      until,
      left,
    )!.count
  }
  return left > 0
}

/**
 * Number of clients that are distinguished. Above it, a new name counts as none, since presenting messages
 * reads all names.
 */
const MAX_CLIENTS = 2_000
const OTHER_CLIENT = 'Unspecified'

/** Returns the number of a sending client's name, which its first message gives it. */
export function clientId(sql: WritableSql, name: string): number {
  const known = findClient(sql, name)
  if (known !== undefined) return known
  const newest = sql.first<{ id: number | null }>(`SELECT MAX(id) AS id FROM client`)?.id ?? 0
  if (newest < MAX_CLIENTS) return insertClient(sql, name)
  return findClient(sql, OTHER_CLIENT) ?? insertClient(sql, OTHER_CLIENT)
}

function findClient(sql: Sql, name: string): number | undefined {
  return sql.kept(
    `client ${name}`,
    () => sql.first<{ id: number }>(`SELECT id FROM client WHERE name = ?`, name)?.id,
  )
}

function insertClient(sql: WritableSql, name: string): number {
  return sql.runForFirst<{ id: number }>(`INSERT INTO client (name) VALUES (?) RETURNING id`, name)!.id
}

export function clientNames(sql: Sql): ReadonlyMap<number, string> {
  return sql.kept('client names', () => {
    const rows = sql.all<{ id: number; name: string }>(`SELECT id, name FROM client`)
    return new Map(rows.map(({ id, name }) => [id, name]))
  })
}
