import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'

/** Facts about an entry of the log that D1 may lack. */
export interface TailEntry {
  /** The entry's id in the log. */
  readonly id: number
  /** The bytes of its writes as JSON. */
  readonly bytes: number
  /** Messages whose bodies it writes. */
  readonly messageIds: readonly number[]
}

/**
 * Stores the index of a range of the tail of one database (0: `DB`), ascending, up to a log id, so that a
 * waking object need not parse it again.
 */
export function insertTailBlock(
  sql: WritableSql,
  database: number,
  upTo: number,
  entries: readonly TailEntry[],
): void {
  sql.run(
    `INSERT OR REPLACE INTO tail_block (database, up_to, entries) VALUES (?, ?, ?)`,
    database,
    upTo,
    JSON.stringify(entries.map(({ id, bytes, messageIds }) => [id, bytes, ...messageIds])),
  )
}

/**
 * Reads the blocks' index of entries above `id`, ascending, and the log id up to which it goes; 0 without
 * blocks.
 */
export function readTailBlocks(
  sql: Sql,
  database: number,
  id: number,
): { entries: TailEntry[]; upTo: number } {
  const blocks = sql.all<{ up_to: number; entries: JsonText<[number, number, ...number[]][]> }>(
    `SELECT entries, up_to FROM tail_block WHERE database = ? AND up_to > ? ORDER BY up_to`,
    database,
    id,
  )
  const entries = blocks
    .flatMap(({ entries }) => fromJson(entries))
    .map(([entryId, bytes, ...messageIds]) => ({ id: entryId, bytes, messageIds }))
    .filter((entry) => entry.id > id)
  return { entries, upTo: blocks.at(-1)?.up_to ?? 0 }
}

export function deleteTailBlocks(sql: WritableSql, database: number, upTo = Number.MAX_SAFE_INTEGER): void {
  sql.run(`DELETE FROM tail_block WHERE database = ? AND up_to <= ?`, database, upTo)
}
