import type { Sql } from '../core/sql.ts'

/** What is remembered of an entry of the log that D1 may lack. */
export interface TailEntry {
  /** Of the log. */
  readonly id: number
  /** Of its writes as JSON. */
  readonly bytes: number
  /** Messages whose bodies it writes. */
  readonly messageIds: readonly number[]
}

/** The index of a range of the tail, ascending: written down so that a waking object need not parse it again. */
export function insertTailBlock(sql: Sql, entries: readonly TailEntry[]): void {
  sql.run(
    `INSERT OR REPLACE INTO tail_block (up_to, entries) VALUES (?, ?)`,
    entries.at(-1)!.id,
    JSON.stringify(entries.map(({ id, bytes, messageIds }) => [id, bytes, ...messageIds])),
  )
}

/** What the blocks say of entries above `id`, ascending. */
export function readTailBlocks(sql: Sql, id: number): TailEntry[] {
  return sql
    .all<{ entries: string }>(`SELECT entries FROM tail_block WHERE up_to > ? ORDER BY up_to`, id)
    .flatMap(({ entries }) => JSON.parse(entries) as [number, number, ...number[]][])
    .map(([entryId, bytes, ...messageIds]) => ({ id: entryId, bytes, messageIds }))
    .filter((entry) => entry.id > id)
}

export function deleteTailBlocks(sql: Sql, upTo = Number.MAX_SAFE_INTEGER): void {
  sql.run(`DELETE FROM tail_block WHERE up_to <= ?`, upTo)
}
