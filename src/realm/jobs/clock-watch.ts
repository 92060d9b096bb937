import type { Sql, WritableSql } from '../../core/sql.ts'
import { OVERTAKEN_SECONDS } from '../../core/time.ts'
import { newestLogId, newestLogTime } from '../../events/log.ts'
import { readMeta, readSetBacks, writeMeta } from '../../store/meta-rows.ts'

/** Seconds after which the time is saved again: a clock that is set back while the object sleeps is noticed to within so much. */
const SAVE_EVERY_SECONDS = 300

/** Notices that the clock has been set back, also while the object slept (realm/jobs/follow-clock.ts). */
export class ClockWatch {
  readonly #now: () => number
  /** The latest time by which anything may be stored (UNIX seconds). */
  #latest: number
  #savedAt: number
  /** Whether all that is due has followed the clock when it was last set back. */
  isFollowed: boolean
  /** The work of the turns in which the rest follows. */
  following: Promise<void> | undefined

  /** @param now UNIX seconds */
  constructor(sql: Sql, now: () => number) {
    const saved = readSaved(sql)
    const newest = newestLogTime(sql)
    this.#now = now
    this.isFollowed = readSetBacks(sql).length === 0
    this.#savedAt = saved.at
    this.#latest = newest.id > saved.logId ? Math.max(saved.at, newest.at) : saved.at
  }

  /** Returns the time, UNIX seconds with fraction. */
  now(): number {
    const now = this.#now()
    this.#latest = Math.max(this.#latest, now)
    return now
  }

  /** Returns the seconds by which the clock has been set back since it was last followed; undefined when it was not. */
  setBackBy(): number | undefined {
    const seconds = Math.floor(this.#latest - this.#now())
    return seconds > OVERTAKEN_SECONDS ? seconds : undefined
  }

  /** Follows the clock from here on, and saves its time. The log shows what is stored later. */
  follow(sql: WritableSql): void {
    this.#latest = this.#now()
    this.#savedAt = this.#latest
    writeMeta(sql, 'clock', `${Math.floor(this.#latest)} ${newestLogId(sql)}`)
  }

  /** Saves now and then where the clock is. */
  save(sql: WritableSql): void {
    if (this.now() >= this.#savedAt + SAVE_EVERY_SECONDS) this.follow(sql)
  }
}

/** The saved time, and the newest entry of the log then: one that is newer may have a later time. */
interface Saved {
  readonly at: number
  readonly logId: number
}

function readSaved(sql: Sql): Saved {
  const [at = 0, logId = 0] = (readMeta<string>(sql, 'clock') ?? '').split(' ').map(Number)
  return { at, logId }
}
