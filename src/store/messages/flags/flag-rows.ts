import { fromJson, type JsonText } from '../../../core/json.ts'
import type { Sql, WritableSql } from '../../../core/sql.ts'
import { blockOf } from './message-id-set.ts'

/** Returns a user's sparse flags: a row exists only where something cannot be derived. */
export function flagBits(sql: Sql, userId: number, messageId: number): number | undefined {
  return sql.value(`SELECT bits FROM message_flag WHERE user_id = ? AND message_id = ?`, userId, messageId)
}

/** The stored flags of a user and some messages: bits by message id, and the blocks of the read set in which they are. */
export interface StoredMarks {
  readonly bits: ReadonlyMap<number, number>
  readonly blocks: readonly { readonly block: number; readonly ids: ArrayBuffer }[]
}

/** Returns the marks of these messages, in one statement where few others are between them: each statement takes longer than its rows. */
export function storedMarks(sql: Sql, userId: number, messageIds: readonly number[]): StoredMarks {
  const few = Math.max(messageIds.length, FEW_ROWS)
  const [first, last] = ends(messageIds)
  const rows = sql.all<{ id: number; bits: number } | { id: null; bits: number; ids: ArrayBuffer }>(
    `SELECT * FROM (
       SELECT message_id AS id, bits, NULL AS ids FROM message_flag
       WHERE user_id = ?1 AND message_id BETWEEN ?2 AND ?3 LIMIT ?4
     ) UNION ALL
     SELECT NULL, block, ids FROM read_block WHERE user_id = ?1 AND block BETWEEN ?5 AND ?6`,
    userId,
    first,
    last,
    few + 1,
    blockOf(first),
    blockOf(last),
  )
  const bits = new Map<number, number>()
  const blocks: { block: number; ids: ArrayBuffer }[] = []
  for (const row of rows) {
    if (row.id === null) blocks.push({ block: row.bits, ids: row.ids })
    else bits.set(row.id, row.bits)
  }
  if (bits.size <= few) return { bits, blocks }
  return { bits: bitsById(flagRowsAmong(sql, userId, messageIds)), blocks }
}

/** Returns a user's bits for many messages, by message id. */
export function flagBitsOf(sql: Sql, userId: number, messageIds: readonly number[]): Map<number, number> {
  return bitsById(flagRowsAround(sql, userId, messageIds) ?? flagRowsAmong(sql, userId, messageIds))
}

function bitsById(rows: readonly FlagRow[]): Map<number, number> {
  return new Map(rows.map(({ message_id, bits }) => [message_id, bits]))
}

interface FlagRow {
  message_id: number
  bits: number
}

/** Number of rows below which a range is read as a whole. */
const FEW_ROWS = 100

/** Returns a user's rows from the first of the messages to the last; undefined where there are more rows than messages. */
function flagRowsAround(sql: Sql, userId: number, messageIds: readonly number[]): FlagRow[] | undefined {
  const few = Math.max(messageIds.length, FEW_ROWS)
  const [first, last] = ends(messageIds)
  const rows = sql.all<FlagRow>(
    `SELECT message_id, bits FROM message_flag WHERE user_id = ? AND message_id BETWEEN ? AND ? LIMIT ?`,
    userId,
    first,
    last,
    few + 1,
  )
  return rows.length <= few ? rows : undefined
}

function flagRowsAmong(sql: Sql, userId: number, messageIds: readonly number[]): FlagRow[] {
  return sql.all<FlagRow>(
    `SELECT message_id, bits FROM message_flag
     WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))`,
    userId,
    messageIds,
  )
}

/** Returns a user's bits for all messages from the first id to the last, by message id. */
export function flagBitsBetween(sql: Sql, userId: number, first: number, last: number): Map<number, number> {
  const rows = sql.all<FlagRow>(
    `SELECT message_id, bits FROM message_flag WHERE user_id = ? AND message_id BETWEEN ? AND ?`,
    userId,
    first,
    last,
  )
  return new Map(rows.map(({ message_id, bits }) => [message_id, bits]))
}

/** Number of rows that are read together: some 10 ms, and less than half of a row's limit. */
const LOOKED_AT_TOGETHER = 50_000

/** Yields ids of a user's messages with any of these bits, ascending, in lists of one turn each: there may be as many as messages. */
export function* messagesWithFlag(
  sql: Sql,
  userId: number,
  bits: number,
  together = LOOKED_AT_TOGETHER,
): Generator<number[], void> {
  for (let above = 0, count = together; count === together; ) {
    const part = sql.first<{ ids: JsonText<number[]>; last: number | null; count: number }>(
      `SELECT json_group_array(message_id) FILTER (WHERE (bits & ?) != 0) AS ids, max(message_id) AS last, count(*) AS count
       FROM (SELECT message_id, bits FROM message_flag WHERE user_id = ? AND message_id > ? ORDER BY message_id LIMIT ?)`,
      bits,
      userId,
      above,
      together,
    )!
    count = part.count
    above = part.last ?? 0
    yield fromJson(part.ids)
  }
}

/** Returns the newest `limit` of them from an id on, ascending. */
export function messagesWithFlagFrom(
  sql: Sql,
  userId: number,
  bits: number,
  from: number,
  limit: number,
): number[] {
  return sql
    .values(
      `SELECT message_id FROM message_flag WHERE user_id = ? AND message_id >= ? AND (bits & ?) != 0
       ORDER BY message_id DESC LIMIT ?`,
      userId,
      from,
      bits,
      limit,
    )
    .reverse()
}

export function putFlagBits(sql: WritableSql, userId: number, messageId: number, bits: number): void {
  sql.run(
    `INSERT INTO message_flag (user_id, message_id, bits) VALUES (?1, ?2, ?3)
     ON CONFLICT (user_id, message_id) DO UPDATE SET bits = ?3`,
    userId,
    messageId,
    bits,
  )
}

/** Number of rows up to which each is written separately. More are written by one statement, which reads a row of its list for each. */
const WRITTEN_ONE_BY_ONE = 10

/** Writes a user's bits for many messages, by message id. */
export function putFlagBitsOfMessages(
  sql: WritableSql,
  userId: number,
  bits: ReadonlyMap<number, number>,
): void {
  if (bits.size <= WRITTEN_ONE_BY_ONE) {
    for (const [messageId, own] of bits) putFlagBits(sql, userId, messageId, own)
    return
  }
  sql.run(
    `INSERT INTO message_flag (user_id, message_id, bits)
     SELECT ?1, value->>0, value->>1 FROM json_each(?2) WHERE true
     ON CONFLICT (user_id, message_id) DO UPDATE SET bits = excluded.bits`,
    userId,
    [...bits],
  )
}

/** Writes many users' bits for one message, by user id. */
export function putFlagBitsOfUsers(
  sql: WritableSql,
  messageId: number,
  bits: ReadonlyMap<number, number>,
): void {
  if (bits.size <= WRITTEN_ONE_BY_ONE) {
    for (const [userId, own] of bits) putFlagBits(sql, userId, messageId, own)
    return
  }
  // A statement for each of the few values: taking a list of pairs apart would cost as much as writing the rows.
  for (const [own, userIds] of Map.groupBy(bits.keys(), (userId) => bits.get(userId)!)) {
    sql.run(
      `INSERT INTO message_flag (user_id, message_id, bits) SELECT value, ?1, ?2 FROM json_each(?3) WHERE true
       ON CONFLICT (user_id, message_id) DO UPDATE SET bits = excluded.bits`,
      messageId,
      own,
      userIds,
    )
  }
}

export function flagBitsByUser(sql: Sql, messageId: number): Map<number, number> {
  // In one row, since there may be ten thousand; and in two lists, since pairs take longer.
  const rows = sql.first<{ ids: JsonText<number[]>; bits: JsonText<number[]> }>(
    `SELECT json_group_array(user_id) AS ids, json_group_array(bits) AS bits FROM message_flag WHERE message_id = ?`,
    messageId,
  )!
  const bits = fromJson(rows.bits)
  return new Map(fromJson(rows.ids).map((userId, at) => [userId, bits[at]!]))
}

/**
 * Returns the bits of those of the users who have a row for the message, and perhaps of others. Most messages have few rows, and one
 * that mentions everybody and was moved has one for each of thousands.
 */
export function flagBitsAmongUsers(
  sql: Sql,
  messageId: number,
  userIds: readonly number[],
): Map<number, number> {
  const few = Math.max(userIds.length, FEW_ROWS)
  const rows = flagRowsOfMessage(sql, messageId, few + 1)
  return bitsByUser(rows.length <= few ? rows : flagRowsOfUsers(sql, messageId, userIds))
}

interface FlagRowOfUser {
  user_id: number
  bits: number
}

/** Returns at most `limit` rows. */
function flagRowsOfMessage(sql: Sql, messageId: number, limit: number): FlagRowOfUser[] {
  return sql.all<FlagRowOfUser>(
    `SELECT user_id, bits FROM message_flag WHERE message_id = ? LIMIT ?`,
    messageId,
    limit,
  )
}

function flagRowsOfUsers(sql: Sql, messageId: number, userIds: readonly number[]): FlagRowOfUser[] {
  return sql.all<FlagRowOfUser>(
    `SELECT user_id, bits FROM json_each(?) AS among
     CROSS JOIN message_flag ON user_id = among.value AND message_id = ?`,
    userIds,
    messageId,
  )
}

function bitsByUser(rows: readonly FlagRowOfUser[]): Map<number, number> {
  return new Map(rows.map(({ user_id, bits }) => [user_id, bits]))
}

/** Deletes all users' rows of these messages. */
export function deleteFlagsOfMessages(sql: WritableSql, messageIds: readonly number[]): void {
  sql.run(`DELETE FROM message_flag WHERE message_id IN (SELECT value FROM json_each(?))`, messageIds)
}

/**
 * Returns those of the users who have a row for any message between two: they may have found, starred or been
 * mentioned in one of some there. A row for each user, however many messages there are.
 */
export function usersWithFlagsBetween(
  sql: Sql,
  userIds: readonly number[],
  first: number,
  last: number,
): Set<number> {
  const ids = sql.list(
    `SELECT json_group_array(value) AS ids FROM json_each(?) WHERE EXISTS (
       SELECT 1 FROM message_flag WHERE user_id = value AND message_id BETWEEN ? AND ?
     )`,
    userIds,
    first,
    last,
  )
  return new Set(ids)
}

/** Returns users who have a row for one of these messages: they have found, starred or been mentioned in one. */
export function usersWithFlags(sql: Sql, messageIds: readonly number[]): Set<number> {
  const near = usersWithFlagsAround(sql, messageIds)
  if (near) return near
  const rows = sql.values(
    `SELECT DISTINCT user_id FROM message_flag WHERE message_id IN (SELECT value FROM json_each(?))`,
    messageIds,
  )
  return new Set(rows)
}

/** Returns them from all rows from the first of the messages to the last; undefined where those are more than the messages. */
function usersWithFlagsAround(sql: Sql, messageIds: readonly number[]): Set<number> | undefined {
  const few = Math.max(messageIds.length, FEW_ROWS)
  const [first, last] = ends(messageIds)
  const rows = sql.all<{ user_id: number; message_id: number }>(
    `SELECT user_id, message_id FROM message_flag WHERE message_id BETWEEN ? AND ? LIMIT ?`,
    first,
    last,
    few,
  )
  if (rows.length === few) return undefined
  if (rows.length === 0) return new Set()
  const wanted = new Set(messageIds)
  return new Set(rows.flatMap(({ user_id, message_id }) => (wanted.has(message_id) ? [user_id] : [])))
}

function ends(messageIds: readonly number[]): [first: number, last: number] {
  let [first, last] = [Number.MAX_SAFE_INTEGER, 0]
  for (const id of messageIds) [first, last] = [Math.min(first, id), Math.max(last, id)]
  return [first, last]
}
