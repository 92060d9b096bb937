import type { BodyRanges } from '../../core/message-bodies.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { newestLogId } from '../../events/log.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import type { Cursor } from './projector.ts'

/** Lists the ranges of messages whose bodies are in databases other than `DB`. This file owns the table `body_database`. */
export function listBodyRanges(sql: Sql): BodyRanges {
  return sql
    .all<{ number: number; first_message: number }>(
      `SELECT number, first_message FROM body_database ORDER BY number`,
    )
    .map(({ number, first_message }) => ({ first: first_message, database: number }))
}

/**
 * Returns the ranges of an organization; new messages go to the newest bound database. They are set when the object wakes, since bindings
 * change only while it is not awake. No body moves.
 */
export function rangesFromNow(sql: WritableSql, newest: number): BodyRanges {
  const ranges = listBodyRanges(sql)
  if (newest <= (ranges.at(-1)?.database ?? 0)) return ranges
  const first = newestMessageId(sql) + 1
  // The log has no writes for a database that did not exist yet.
  sql.run(
    `INSERT INTO body_database (number, first_message, projected) VALUES (?, ?, ?)`,
    newest,
    first,
    newestLogId(sql),
  )
  return [...ranges, { first, database: newest }]
}

export function readBodyCursor(sql: Sql, number: number): Cursor {
  const row = sql.first<{ projected: number; applied: number | null }>(
    `SELECT projected, applied FROM body_database WHERE number = ?`,
    number,
  )
  return { projected: row?.projected ?? 0, applied: row?.applied ?? undefined }
}

export function writeBodyCursor(sql: WritableSql, number: number, { projected, applied }: Cursor): void {
  sql.run(
    `UPDATE body_database SET projected = ?, applied = ? WHERE number = ?`,
    projected,
    applied ?? null,
    number,
  )
}
