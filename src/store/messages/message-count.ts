import type { Sql, WritableSql } from '../../core/sql.ts'
import { readMetaJson, writeMeta } from '../meta-rows.ts'

/** The number of messages up to an id. Messages above it are counted when the number is next asked for. */
interface MessageCount {
  readonly count: number
  readonly upTo: number
}

function messageCount(sql: Sql): MessageCount {
  return readMetaJson<MessageCount>(sql, 'messages_counted') ?? { count: 0, upTo: 0 }
}

/** Returns the number of messages as of the last night. */
export function countedMessages(sql: Sql): number {
  return messageCount(sql).count
}

/** Counts the next messages, `limit` at most. Returns the number of all; undefined while there are more. */
export function countMessages(sql: WritableSql, limit: number): number | undefined {
  const { count, upTo } = messageCount(sql)
  const query = `SELECT COUNT(*) AS count, MAX(id) AS last FROM (
    SELECT id FROM message_index WHERE id > ? ORDER BY id LIMIT ?
  )`
  const next = sql.first<{ count: number; last: number | null }>(query, upTo, limit)!
  if (next.last !== null) writeCount(sql, { count: count + next.count, upTo: next.last })
  return next.count === limit ? undefined : count + next.count
}

/** Takes messages out of the number, before they are deleted. It writes nothing for new ones, which nobody has counted. */
export function discountMessages(sql: WritableSql, ids: readonly number[]): void {
  addToCount(sql, ids, -1)
}

/** Adds messages to the number that were deleted and are there again. */
export function recountMessages(sql: WritableSql, ids: readonly number[]): void {
  addToCount(sql, ids, 1)
}

function addToCount(sql: WritableSql, ids: readonly number[], sign: 1 | -1): void {
  const { count, upTo } = messageCount(sql)
  const counted = ids.filter((id) => id <= upTo)
  if (counted.length === 0) return
  const query = `SELECT COUNT(*) AS n FROM message_index WHERE id IN (SELECT value FROM json_each(?))`
  writeCount(sql, { count: count + sign * sql.value(query, counted)!, upTo })
}

function writeCount(sql: WritableSql, count: MessageCount): void {
  writeMeta(sql, 'messages_counted', JSON.stringify(count))
}
