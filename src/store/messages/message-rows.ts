import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { META_VALUE, type MetaKey } from '../meta-rows.ts'
import { Rows } from '../select-rows.ts'

/** One line of the message index (docs/decisions/design.md#no-row-for-each-recipient): everything but the body. */
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

export const MESSAGES = new Rows<IndexedMessage>(
  'message_index m',
  'id recipient_id topic_id topic_spelling sender_id client_id sent_at bits version edited_at moved_at move_id',
)

export function findMessage(sql: Sql, id: number): IndexedMessage | undefined {
  return MESSAGES.find(sql, `WHERE id = ?`, id)
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
  return MESSAGES.list(sql, `WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`, ids)
}

/** A message's id and its recipient (core/recipient-id.ts). */
export type MessageRecipient = Pick<IndexedMessage, 'id' | 'recipientId'>

/** Returns the recipients of the messages that exist. `ids` ascending. */
export function recipientsOfMessages(sql: Sql, ids: readonly number[]): MessageRecipient[] {
  if (ids.length === 0) return []
  const rows = sql.all<{ id: number; recipient_id: number }>(
    `SELECT id, recipient_id FROM message_index WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    ids,
  )
  return rows.map(({ id, recipient_id }) => ({ id, recipientId: recipient_id }))
}

function messagesBetween(sql: Sql, first: number, last: number): IndexedMessage[] {
  return MESSAGES.list(sql, `WHERE id BETWEEN ? AND ? ORDER BY id`, first, last)
}

/** Returns the highest id ever given to a message; ids of deleted messages are not reused. */
export function newestMessageId(sql: Sql): number {
  const given = sql.first<{ id: number | null; floor: number | null }>(
    `SELECT (SELECT MAX(id) FROM message_index) AS id, ${META_VALUE} AS floor`,
    'message_id_floor' satisfies MetaKey,
  )
  return Math.max(given?.id ?? 0, given?.floor ?? 0)
}

/** Returns when the newest message was sent (UNIX seconds); undefined without one. */
export function newestSentAt(sql: Sql): number | undefined {
  return sql.value(`SELECT sent_at FROM message_index ORDER BY id DESC LIMIT 1`)
}

/** Returns the newest messages of any channels above an id, newest first. */
export function newestInAnyChannel(sql: Sql, above: number, limit: number): IndexedMessage[] {
  // The ids of the three kinds of recipients alternate.
  return MESSAGES.list(
    sql,
    `WHERE id > ? AND recipient_id % 3 = ? ORDER BY id DESC LIMIT ?`,
    above,
    channelRecipientId(0),
    limit,
  )
}

/** Returns the newest messages of a channel or conversation above an id, newest first. */
export function newestMessageIdsOf(sql: Sql, recipientId: number, limit: number, above = 0): number[] {
  return sql.values(
    `SELECT id FROM message_index WHERE recipient_id = ? AND id > ? ORDER BY id DESC LIMIT ?`,
    recipientId,
    above,
    limit,
  )
}

/** Returns the newest messages of a channel or conversation above an id, newest first. */
export function newestMessagesTo(
  sql: Sql,
  recipientId: number,
  above: number,
  limit: number,
): IndexedMessage[] {
  return MESSAGES.list(
    sql,
    `WHERE recipient_id = ? AND id > ? ORDER BY id DESC LIMIT ?`,
    recipientId,
    above,
    limit,
  )
}

/** Returns those of the newest `limit` messages that were sent at `since` (UNIX seconds) or later; oldest first. */
export function newestMessagesSince(sql: Sql, since: number, limit: number): IndexedMessage[] {
  return MESSAGES.list(
    sql,
    `WHERE m.id > (SELECT MAX(id) FROM message_index) - ?2 AND m.sent_at >= ?1 ORDER BY m.id LIMIT ?2`,
    since,
    limit,
  )
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
  return MESSAGES.list(
    sql,
    `WHERE topic_id = ? AND topic_id > 0 AND id < ? ORDER BY id DESC LIMIT ?`,
    topicId,
    below,
    limit,
  )
}

/** Returns messages of a topic from an id on, the first `limit`, ascending. */
export function messagesOfTopicFrom(
  sql: Sql,
  topicId: number,
  from: number,
  limit: number,
): IndexedMessage[] {
  return MESSAGES.list(
    sql,
    `WHERE topic_id = ? AND topic_id > 0 AND id >= ? ORDER BY id LIMIT ?`,
    topicId,
    from,
    limit,
  )
}

/** Returns the messages of one channel or conversation from an id on. */
export function messagesOfRecipientFrom(
  sql: Sql,
  recipientId: number,
  from: number,
  limit: number,
): IndexedMessage[] {
  return MESSAGES.list(
    sql,
    `WHERE recipient_id = ? AND id >= ? ORDER BY id LIMIT ?`,
    recipientId,
    from,
    limit,
  )
}

/** Returns the newest `limit` messages from an id on that mention all of their channel, ascending. */
export function wildcardMessagesFrom(sql: Sql, from: number, limit: number): IndexedMessage[] {
  return MESSAGES.list(
    sql,
    `WHERE (bits & 32) != 0 AND id >= ? ORDER BY id DESC LIMIT ?`,
    from,
    limit,
  ).reverse()
}

/** Returns the newest message of a topic; undefined without messages. */
export function newestMessageOfTopic(sql: Sql, topicId: number): number | undefined {
  return sql.value(`SELECT MAX(id) AS id FROM message_index WHERE topic_id = ? AND topic_id > 0`, topicId)
}

/** Returns the id of a topic's oldest message; undefined without messages. */
export function oldestMessageOfTopic(sql: Sql, topicId: number): number | undefined {
  return sql.value(`SELECT MIN(id) AS id FROM message_index WHERE topic_id = ? AND topic_id > 0`, topicId)
}

export function hasMessages(sql: Sql, recipientId: number): boolean {
  return sql.finds(`SELECT 1 FROM message_index WHERE recipient_id = ? LIMIT 1`, recipientId)
}

/** Returns the next channel or conversation that has messages; undefined after the last. */
export function nextRecipientId(sql: Sql, after: number): number | undefined {
  return sql.value(`SELECT MIN(recipient_id) AS id FROM message_index WHERE recipient_id > ?`, after)
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
    left -= sql.value(
      `SELECT COUNT(*) AS count FROM (
         SELECT 1 FROM message_index WHERE recipient_id = ? AND id > ? AND id <= ? LIMIT ?
       )`,
      recipientId,
      since,
      until,
      left,
    )!
  }
  return left > 0
}

/** Number of clients that are distinguished. Above it, a new name counts as none, since presenting messages reads all names. */
const MAX_CLIENTS = 2_000
const OTHER_CLIENT = 'Unspecified'

/** Returns the number of a sending client's name, which its first message gives it. */
export function clientId(sql: WritableSql, name: string): number {
  const known = findClient(sql, name)
  if (known !== undefined) return known
  const newest = sql.value(`SELECT MAX(id) AS id FROM client`) ?? 0
  if (newest < MAX_CLIENTS) return insertClient(sql, name)
  return findClient(sql, OTHER_CLIENT) ?? insertClient(sql, OTHER_CLIENT)
}

function findClient(sql: Sql, name: string): number | undefined {
  return sql.kept(`client ${name}`, () => sql.value(`SELECT id FROM client WHERE name = ?`, name))
}

function insertClient(sql: WritableSql, name: string): number {
  return sql.runForValue(`INSERT INTO client (name) VALUES (?) RETURNING id`, name)!
}

export function clientNames(sql: Sql): ReadonlyMap<number, string> {
  return sql.kept('client names', () => {
    const rows = sql.all<{ id: number; name: string }>(`SELECT id, name FROM client`)
    return new Map(rows.map(({ id, name }) => [id, name]))
  })
}

/** Lists the ids and versions of messages above one id and up to another. */
export function messageVersionsWithin(
  sql: Sql,
  { above, upTo, limit }: { readonly above: number; readonly upTo: number; readonly limit: number },
): readonly { readonly id: number; readonly version: number }[] {
  return sql.all(
    `SELECT id, version FROM message_index WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`,
    above,
    upTo,
    limit,
  )
}
