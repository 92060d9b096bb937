import type { Sql, WritableSql } from '../../core/sql.ts'
import { readMeta, writeMeta } from '../../domain/meta-rows.ts'
import { newestLogId } from '../../events/log.ts'

/** Ephemeral ids are reserved this many at a time, so that few of them cost a row. */
const EPHEMERAL_BLOCK = 1_000

/**
 * Gives out event ids. Stored events are remembered by the log itself; ephemeral ones by a reserved
 * limit in `meta`, so that after an eviction ids only rise: a client that has seen an unstored id must
 * never be passed over by a stored one (docs/decisions/design.md#the-log-is-the-only-stream).
 */
export class EventIds {
  #last: number
  #ephemeralLimit: number

  constructor(sql: Sql) {
    this.#ephemeralLimit = readMeta<number>(sql, 'ephemeral_limit') ?? 0
    this.#last = Math.max(newestLogId(sql), this.#ephemeralLimit)
  }

  /** The last id given out, or one that was reserved before the object slept. */
  get last(): number {
    return this.#last
  }

  /** The last of `span` new ids. */
  next(span = 1): number {
    this.#last += span
    return this.#last
  }

  nextEphemeral(sql: WritableSql): number {
    const id = this.next()
    if (id > this.#ephemeralLimit) {
      const limit = id + EPHEMERAL_BLOCK
      writeMeta(sql, 'ephemeral_limit', limit)
      this.#ephemeralLimit = limit
    }
    return id
  }

  /** Ids up to this one were given out, though nothing here says so. */
  raiseTo(sql: WritableSql, id: number): void {
    if (id <= this.#last) return
    this.#last = id
    writeMeta(sql, 'ephemeral_limit', id)
    this.#ephemeralLimit = id
  }

  /** A transaction was rolled back, and perhaps a reservation with it. Its ids are not given again. */
  rolledBack(sql: Sql): void {
    this.#ephemeralLimit = readMeta<number>(sql, 'ephemeral_limit') ?? 0
  }
}
