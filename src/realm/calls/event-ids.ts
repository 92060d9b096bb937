import type { Sql, WritableSql } from '../../core/sql.ts'
import { newestLogId } from '../../events/log.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'

/** Number of ephemeral ids that are reserved at a time, so that few of them cost a row. */
const EPHEMERAL_BLOCK = 1_000

/**
 * Gives out event ids. The log itself remembers stored events; a reserved limit in `meta` covers ephemeral
 * ones, so that ids rise even over an eviction: a stored event must never have a lower id than an unstored
 * one that a client has seen (docs/decisions/design.md#the-log-is-the-only-stream).
 */
export class EventIds {
  #last: number
  #ephemeralLimit: number

  constructor(sql: Sql) {
    this.#ephemeralLimit = readMeta<number>(sql, 'ephemeral_limit') ?? 0
    this.#last = Math.max(newestLogId(sql), this.#ephemeralLimit)
  }

  /** The last id in use, or one that was reserved before the object slept. */
  get last(): number {
    return this.#last
  }

  /** Takes `span` new ids and returns the last. */
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

  /** Records that ids up to this one are in use, although nothing here says so. */
  raiseTo(sql: WritableSql, id: number): void {
    if (id <= this.#last) return
    this.#last = id
    writeMeta(sql, 'ephemeral_limit', id)
    this.#ephemeralLimit = id
  }

  /** Follows a rollback, which may have undone a reservation. Its ids are not used again. */
  rolledBack(sql: Sql): void {
    this.#ephemeralLimit = readMeta<number>(sql, 'ephemeral_limit') ?? 0
  }
}
