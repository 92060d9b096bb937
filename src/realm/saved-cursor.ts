import { readMeta, writeMeta } from '../domain/meta-rows.ts'
import type { CountedSql } from './counted-sql.ts'
import type { Cursor } from './projector.ts'

/** The saved cursor of the projection may be this many ids old: D1 itself knows better. */
const SAVE_EVERY = 256

/** How far D1 was when that was last written down. */
export class SavedCursor {
  readonly #sql: CountedSql
  #saved: Cursor
  #latest: Cursor

  constructor(sql: CountedSql) {
    this.#sql = sql
    this.#saved = {
      projected: readMeta<number>(sql, 'projected') ?? 0,
      applied: readMeta<number>(sql, 'd1_applied'),
    }
    this.#latest = this.#saved
  }

  get saved(): Cursor {
    return this.#saved
  }

  /** D1 is so far now. */
  follow(cursor: Cursor): void {
    this.#latest = cursor
    if (cursor.projected >= this.#saved.projected + SAVE_EVERY) this.save()
  }

  /** Before the log is trimmed up to here: an entry that D1's cursor may stand at must be there, or be written down. */
  save(cursor = this.#latest): void {
    this.#latest = cursor
    if (cursor.projected !== this.#saved.projected) writeMeta(this.#sql, 'projected', cursor.projected)
    if (cursor.applied !== undefined && cursor.applied !== this.#saved.applied) {
      writeMeta(this.#sql, 'd1_applied', cursor.applied)
    }
    this.#saved = cursor
  }
}
