import { fromJson, type JsonText } from '../../core/json.ts'
import type { D1Write } from '../../core/realm-transaction.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

/** The writes of a log entry that one database refuses. Its bodies are read from here. */
export interface RefusedEntry {
  /** The entry's id in the log. */
  readonly id: number
  /** Number of the database; 0: `DB`. */
  readonly database: number
  /** UNIX seconds. */
  readonly at: number
  readonly reason: string
  /** Messages whose bodies it writes. */
  readonly messageIds: readonly number[]
  readonly writes: readonly D1Write[]
}

/** Limit of databases that may refuse one entry: as many as there can be. */
const DATABASES_OF_AN_ENTRY = 200

const REFUSED = new Rows<RefusedEntry>('refused_entry', 'id database at reason message_ids:json writes:json')

export function insertRefusedEntry(sql: WritableSql, entry: RefusedEntry): void {
  REFUSED.replace(sql, { ...entry, at: Math.floor(entry.at) })
}

export function countRefusedEntries(sql: Sql): number {
  return sql.value(`SELECT COUNT(*) AS count FROM refused_entry`)!
}

/** Returns the refused writes of the first entry above `id`, by any of the databases; one entry at a time, since each may fill a row. */
export function nextRefusedEntry(
  sql: Sql,
  id: number,
): Pick<RefusedEntry, 'id' | 'reason' | 'writes'> | undefined {
  const rows = REFUSED.list(
    sql,
    `WHERE id = (SELECT MIN(id) FROM refused_entry WHERE id > ?) ORDER BY database LIMIT ?`,
    id,
    DATABASES_OF_AN_ENTRY,
  )
  const [first] = rows
  if (!first) return undefined
  return {
    id: first.id,
    reason: first.reason,
    writes: rows.flatMap(({ writes }) => writes),
  }
}

/** Lists the messages, without their bodies, whose bodies a database refuses to write. */
export function listRefusedMessages(
  sql: Sql,
  database: number,
): { id: number; messageIds: readonly number[] }[] {
  return sql
    .all<{ id: number; message_ids: JsonText<number[]> }>(
      `SELECT id, message_ids FROM refused_entry WHERE database = ? ORDER BY id`,
      database,
    )
    .map(({ id, message_ids }) => ({ id, messageIds: fromJson(message_ids) }))
}

export function refusedWritesOf(sql: Sql, database: number, id: number): readonly D1Write[] {
  const query = `SELECT writes FROM refused_entry WHERE id = ? AND database = ?`
  const writes = sql.value<JsonText<D1Write[]>>(query, id, database)
  return writes === undefined ? [] : fromJson(writes)
}

/** Drops the refused write of a message whose body was written again. */
export function dropRefusedMessage(sql: WritableSql, id: number, messageId: number): void {
  sql.run(
    `UPDATE refused_entry SET message_ids = (
       SELECT json_group_array(value) FROM json_each(message_ids) WHERE value <> ?2
     ) WHERE id = ?1`,
    id,
    messageId,
  )
}

/** Forgets a deleted message: nothing of it stays here, and D1 must not get it after all. */
export function forgetRefusedMessage(
  sql: WritableSql,
  database: number,
  messageId: number,
  isItsBody: (write: D1Write) => boolean,
): void {
  const rows = sql.all<{ id: number; writes: JsonText<D1Write[]> }>(
    `SELECT id, writes FROM refused_entry
     WHERE database = ? AND EXISTS (SELECT 1 FROM json_each(writes) WHERE value -> '$.row' ->> 0 = ?)`,
    database,
    messageId,
  )
  for (const { id, writes } of rows) {
    const left = fromJson(writes).filter((write) => !isItsBody(write))
    if (left.length === 0) deleteRefusedEntry(sql, database, id)
    else {
      dropRefusedMessage(sql, id, messageId)
      sql.run(`UPDATE refused_entry SET writes = ? WHERE id = ? AND database = ?`, left, id, database)
    }
  }
}

function deleteRefusedEntry(sql: WritableSql, database: number, id: number): void {
  sql.run(`DELETE FROM refused_entry WHERE id = ? AND database = ?`, id, database)
}

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
    entries.map(({ id, bytes, messageIds }) => [id, bytes, ...messageIds]),
  )
}

/** Reads the blocks' index of entries above `id`, ascending, and the log id up to which it goes; 0 without blocks. */
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
