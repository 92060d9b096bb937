import { fromJson, type JsonText } from '../../../core/json.ts'
import type { Sql, SqlValue, WritableSql } from '../../../core/sql.ts'
import { blockOf } from './message-id-set.ts'
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
