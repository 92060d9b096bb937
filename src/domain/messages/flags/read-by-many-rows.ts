import { fromJson, type JsonText } from '../../../core/json.ts'
import type { Sql, SqlValue, WritableSql } from '../../../core/sql.ts'
import { bitOf, blockOf, byteOf } from './message-id-set.ts'
import { ReadSet } from './read-rows.ts'

/** Users whose sets one statement writes: the platform allows 100 parameters. */
const WRITTEN_TOGETHER = 30

/** Users whose sets are in memory at a time: half a kilobyte for each block. */
const CHANGED_TOGETHER = 500

/**
 * Adds messages (ascending ids) to the sets of users, of whom there may be thousands, in a few statements: what `ReadSet` does for one
 * user takes two for each. `idsOf` may return the same list for many. Returns the number of blocks read or written.
 */
export function readByMany(
  sql: WritableSql,
  userIds: readonly number[],
  ids: readonly number[],
  idsOf: (userId: number) => readonly number[],
): number {
  let blocks = 0
  for (let at = 0; at < userIds.length; at += CHANGED_TOGETHER) {
    const sets = setsOf(sql, userIds.slice(at, at + CHANGED_TOGETHER), ids)
    const changed = sets.flatMap(({ userId, set, stored }) => {
      for (const id of idsOf(userId)) set.add(id)
      const own = set.takeChanged()
      blocks += Math.max(own.length, stored)
      return own.map(({ block, bits }) => [userId, block, bits] as const)
    })
    for (let next = 0; next < changed.length; next += WRITTEN_TOGETHER) {
      writeBlocks(sql, changed.slice(next, next + WRITTEN_TOGETHER))
    }
  }
  return blocks
}

/**
 * Adds one message to the sets of users, of whom there may be thousands: to the blocks that are stored in one statement, without
 * reading them here.
 */
export function readOneByMany(sql: WritableSql, userIds: readonly number[], id: number): void {
  if (userIds.length === 0) return
  const [users, block] = [JSON.stringify(userIds), blockOf(id)]
  const written = sql.run(
    `UPDATE read_block
     SET ids = CAST(substr(ids, 1, ?3) || unhex(printf('%02X', ${BYTE} | ?4)) || substr(ids, ?3 + 2) AS BLOB)
     WHERE user_id IN (SELECT value FROM json_each(?1)) AND block = ?2`,
    users,
    block,
    byteOf(id),
    bitOf(id),
  )
  if (written === userIds.length) return
  const { lacking } = sql.first<{ lacking: JsonText<number[]> }>(
    `SELECT json_group_array(j.value) AS lacking FROM json_each(?) j
     WHERE NOT EXISTS (SELECT 1 FROM read_block b WHERE b.user_id = j.value AND b.block = ?)`,
    users,
    block,
  )!
  readByMany(sql, fromJson(lacking), [id], () => [id])
}

/** The byte at position ?3 of a block as a number, for which SQLite has no function. */
const BYTE = `(${digitOf(1)} * 16 + ${digitOf(2)})`

function digitOf(place: 1 | 2): string {
  return `(instr('0123456789ABCDEF', substr(hex(substr(ids, ?3 + 1, 1)), ${place}, 1)) - 1)`
}

function writeBlocks(sql: WritableSql, rows: readonly (readonly SqlValue[])[]): void {
  sql.run(
    `INSERT OR REPLACE INTO read_block (user_id, block, ids) VALUES ${rows.map(() => '(?, ?, ?)').join(', ')}`,
    ...rows.flat(),
  )
}

interface SetOfUser {
  readonly userId: number
  readonly set: ReadSet
  /** Number of blocks that were stored. */
  readonly stored: number
}

function setsOf(sql: Sql, userIds: readonly number[], ids: readonly number[]): SetOfUser[] {
  const { floors } = sql.first<{ floors: JsonText<[id: number, floor: number][]> }>(
    `SELECT json_group_array(json_array(u.id, u.read_floor)) AS floors
     FROM json_each(?) j CROSS JOIN user u ON u.id = j.value`,
    JSON.stringify(userIds),
  )!
  const numbers = [...new Set(ids.map(blockOf))]
  const rows = sql.all<{ user_id: number; block: number; ids: ArrayBuffer }>(
    `SELECT b.user_id, b.block, b.ids FROM json_each(?) j
     CROSS JOIN read_block b ON b.user_id = j.value AND b.block IN (SELECT value FROM json_each(?))`,
    JSON.stringify(userIds),
    JSON.stringify(numbers),
  )
  const stored = Map.groupBy(rows, ({ user_id }) => user_id)
  return fromJson(floors).map(([userId, readFloor]) => {
    const set = new ReadSet(sql, { id: userId, readFloor })
    const own = stored.get(userId) ?? []
    set.know(numbers, own)
    return { userId, set, stored: own.length }
  })
}

/** Returns which of these messages each user has rows of flags for, by user. */
export function flaggedByMany(
  sql: Sql,
  userIds: readonly number[],
  messageIds: readonly number[],
): ReadonlyMap<number, ReadonlySet<number>> {
  const rows = sql.all<{ user_id: number; ids: JsonText<number[]> }>(
    `SELECT f.user_id, json_group_array(f.message_id) AS ids FROM json_each(?1) j
     CROSS JOIN message_flag f ON f.user_id = j.value AND f.message_id BETWEEN ?2 AND ?3
     WHERE +f.message_id IN (SELECT value FROM json_each(?4)) GROUP BY f.user_id`,
    JSON.stringify(userIds),
    messageIds[0]!,
    messageIds.at(-1)!,
    JSON.stringify(messageIds),
  )
  return new Map(rows.map(({ user_id, ids }) => [user_id, new Set(fromJson(ids))]))
}
