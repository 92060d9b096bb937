import type { BodyRanges } from '../../core/message-bodies.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { newestLogId } from '../../events/log.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import type { CountedSql } from '../calls/counted-sql.ts'
import type { Cursor } from './projector.ts'

/** Number of ids by which the saved cursor may lag: D1 itself knows better. */
const SAVE_EVERY = 256

/** The cursor of a database of D1 when it was last stored. */
export class SavedCursor {
  readonly #sql: CountedSql
  readonly #database: number
  #saved: Cursor
  #latest: Cursor

  constructor(sql: CountedSql, database = 0) {
    this.#sql = sql
    this.#database = database
    this.#saved = database === 0 ? readCursor(sql) : readBodyCursor(sql, database)
    this.#latest = this.#saved
  }

  get saved(): Cursor {
    return this.#saved
  }

  follow(cursor: Cursor): void {
    this.#latest = cursor
    if (cursor.projected >= this.#saved.projected + SAVE_EVERY) this.save()
  }

  /** Saves the cursor before the log is trimmed up to here: the entry at D1's cursor must exist, or be stored as the cursor. */
  save(cursor = this.#latest): void {
    this.#latest = cursor
    const [sql, saved] = [this.#sql, this.#saved]
    this.#saved = cursor
    if (this.#database !== 0) {
      const isSame = cursor.projected === saved.projected && cursor.applied === saved.applied
      if (!isSame) writeBodyCursor(sql, this.#database, cursor)
      return
    }
    if (cursor.projected !== saved.projected) writeMeta(sql, 'projected', cursor.projected)
    if (cursor.applied !== undefined && cursor.applied !== saved.applied) {
      writeMeta(sql, 'd1_applied', cursor.applied)
    }
  }
}

function readCursor(sql: CountedSql): Cursor {
  return {
    projected: readMeta<number>(sql, 'projected') ?? 0,
    applied: readMeta<number>(sql, 'd1_applied'),
  }
}

/** Lists the ranges of messages whose bodies are in databases beside `DB`. This file owns the table `body_database`. */
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

function readBodyCursor(sql: Sql, number: number): Cursor {
  const row = sql.first<{ projected: number; applied: number | null }>(
    `SELECT projected, applied FROM body_database WHERE number = ?`,
    number,
  )
  return { projected: row?.projected ?? 0, applied: row?.applied ?? undefined }
}

function writeBodyCursor(sql: WritableSql, number: number, { projected, applied }: Cursor): void {
  sql.run(
    `UPDATE body_database SET projected = ?, applied = ? WHERE number = ?`,
    projected,
    applied ?? null,
    number,
  )
}
