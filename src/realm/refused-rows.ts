import type { D1Write } from '../core/realm-transaction.ts'
import type { Sql } from '../core/sql.ts'

/** An entry of the log that D1 will not take. Its bodies are read from here. */
export interface RefusedEntry {
  /** Of the log. */
  readonly id: number
  /** UNIX seconds. */
  readonly at: number
  readonly reason: string
  /** Messages whose bodies it writes. */
  readonly messageIds: readonly number[]
  readonly writes: readonly D1Write[]
}

interface RefusedRow {
  id: number
  at: number
  reason: string
  message_ids: string
  writes: string
}

export function insertRefusedEntry(sql: Sql, { id, at, reason, messageIds, writes }: RefusedEntry): void {
  sql.run(
    `INSERT OR REPLACE INTO refused_entry (id, at, reason, message_ids, writes) VALUES (?, ?, ?, ?, ?)`,
    id,
    Math.floor(at),
    reason,
    JSON.stringify(messageIds),
    JSON.stringify(writes),
  )
}

export function countRefusedEntries(sql: Sql): number {
  return sql.first<{ count: number }>(`SELECT COUNT(*) AS count FROM refused_entry`)!.count
}

/** The first above `id`, one at a time: each may be as long as a row can be. */
export function nextRefusedEntry(sql: Sql, id: number): RefusedEntry | undefined {
  const row = sql.first<RefusedRow>(`SELECT * FROM refused_entry WHERE id > ? ORDER BY id LIMIT 1`, id)
  if (!row) return undefined
  const { message_ids, writes, ...rest } = row
  return {
    ...rest,
    messageIds: JSON.parse(message_ids) as number[],
    writes: JSON.parse(writes) as D1Write[],
  }
}

/** Of all of them, the messages whose bodies they write; without the bodies. */
export function listRefusedMessages(sql: Sql): { id: number; messageIds: readonly number[] }[] {
  return sql
    .all<{ id: number; message_ids: string }>(`SELECT id, message_ids FROM refused_entry ORDER BY id`)
    .map(({ id, message_ids }) => ({ id, messageIds: JSON.parse(message_ids) as number[] }))
}

export function refusedWritesOf(sql: Sql, id: number): readonly D1Write[] {
  const row = sql.first<{ writes: string }>(`SELECT writes FROM refused_entry WHERE id = ?`, id)
  return row ? (JSON.parse(row.writes) as D1Write[]) : []
}

/** The body of this message has been written anew. */
export function dropRefusedMessage(sql: Sql, id: number, messageId: number): void {
  sql.run(
    `UPDATE refused_entry SET message_ids = (
       SELECT json_group_array(value) FROM json_each(message_ids) WHERE value <> ?2
     ) WHERE id = ?1`,
    id,
    messageId,
  )
}

/** The message has been deleted: nothing of it stays here, and D1 is not to get it after all. */
export function forgetRefusedMessage(
  sql: Sql,
  messageId: number,
  isItsBody: (write: D1Write) => boolean,
): void {
  const rows = sql.all<{ id: number; writes: string }>(
    `SELECT id, writes FROM refused_entry
     WHERE EXISTS (SELECT 1 FROM json_each(writes) WHERE value -> '$.row' ->> 0 = ?)`,
    messageId,
  )
  for (const { id, writes } of rows) {
    const left = (JSON.parse(writes) as D1Write[]).filter((write) => !isItsBody(write))
    if (left.length === 0) deleteRefusedEntry(sql, id)
    else {
      dropRefusedMessage(sql, id, messageId)
      sql.run(`UPDATE refused_entry SET writes = ? WHERE id = ?`, JSON.stringify(left), id)
    }
  }
}

export function deleteRefusedEntry(sql: Sql, id: number): void {
  sql.run(`DELETE FROM refused_entry WHERE id = ?`, id)
}
