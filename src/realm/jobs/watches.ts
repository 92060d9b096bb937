import type { Sql, WritableSql } from '../../core/sql.ts'
import { OVERTAKEN_SECONDS } from '../../core/time.ts'
import type { CountedSql } from '../../engine/counted-sql.ts'
import { newestLogId, newestLogTime } from '../../events/log.ts'
import { STATISTICS_EVERY_SECONDS } from '../../model/channels/activity/channel-statistics.ts'
import { nextJobOf } from '../../store/jobs/job-rows.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { readSetBacks } from '../../store/rows-of-clock.ts'
import { type JobAlarm, scheduleJob } from './job-alarm.ts'

interface WatchParts {
  readonly sql: CountedSql
  readonly alarm: JobAlarm
  now(): number
}

/** Schedules the statistics within a day once something happens in an idle organization. */
export class StatisticsWatch {
  /** Whether the channels are known to be checked within a day. */
  #isExpected = false

  /** Follows a commit. Reads one row, once in the life of an object and after each idle time. */
  changed(runtime: WatchParts): void {
    if (this.#isExpected) return
    this.#isExpected = true
    const dueAt = runtime.now() + STATISTICS_EVERY_SECONDS
    const expectedAt = nextJobOf(runtime.sql, 'channel-statistics')?.dueAt
    if (expectedAt === undefined || expectedAt > dueAt + 1) {
      scheduleJob(runtime, { kind: 'channel-statistics', key: '', dueAt })
    }
  }

  /** Records that the job is due again at `next`. */
  restUntil(next: number | undefined, now: number): void {
    this.#isExpected = next !== undefined && next <= now + STATISTICS_EVERY_SECONDS
  }
}

/** Seconds between two times that are saved: the accuracy with which a clock that is set back during the object's sleep is noticed. */
const SAVE_EVERY_SECONDS = 300

/** Notices that the clock has been set back, also while the object slept (realm/jobs/follow-clock.ts). */
export class ClockWatch {
  readonly #now: () => number
  /** The latest time that anything stored may have (UNIX seconds). */
  #latest: number
  #savedAt: number
  /** Whether all due work has followed the clock since it was last set back. */
  isFollowed: boolean
  /** The turns in which the rest follows. */
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

  /** Returns the seconds by which the clock has been set back since it was last followed; undefined if it has not been. */
  setBackBy(): number | undefined {
    const seconds = Math.floor(this.#latest - this.#now())
    return seconds > OVERTAKEN_SECONDS ? seconds : undefined
  }

  /** Follows the clock from here on, and saves its time. The log shows later times. */
  follow(sql: WritableSql): void {
    this.#latest = this.#now()
    this.#savedAt = this.#latest
    writeMeta(sql, 'clock', `${Math.floor(this.#latest)} ${newestLogId(sql)}`)
  }

  /** Saves the time now and then. */
  save(sql: WritableSql): void {
    if (this.now() >= this.#savedAt + SAVE_EVERY_SECONDS) this.follow(sql)
  }
}

/** Returns the saved time, and the newest entry of the log then: newer ones may have a later time. */
function readSaved(sql: Sql) {
  const [at = 0, logId = 0] = (readMeta<string>(sql, 'clock') ?? '').split(' ').map(Number)
  return { at, logId }
}
