import type { CountedSql } from '../../engine/counted-sql.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { readBodyCursor, writeBodyCursor } from './body-database-rows.ts'
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
