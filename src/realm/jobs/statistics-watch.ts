import {
  CHANNEL_STATISTICS,
  STATISTICS_EVERY_SECONDS,
} from '../../model/channels/activity/channel-statistics.ts'
import type { CountedSql } from '../calls/counted-sql.ts'
import { type JobAlarm, scheduleJob } from './job-alarm.ts'
import { nextJobOf } from './job-rows.ts'

interface WatchParts {
  readonly sql: CountedSql
  readonly alarm: JobAlarm
  /** UNIX seconds. */
  now(): number
}

/** Schedules the statistics for within a day when something has happened in an organization that was idle. */
export class StatisticsWatch {
  /** Whether the channels are known to be checked within a day. */
  #isExpected = false

  /** Follows a commit. Reads one row, once in the life of an object, and after each idle time. */
  changed(runtime: WatchParts): void {
    if (this.#isExpected) return
    this.#isExpected = true
    const dueAt = runtime.now() + STATISTICS_EVERY_SECONDS
    const expectedAt = nextJobOf(runtime.sql, CHANNEL_STATISTICS)?.dueAt
    if (expectedAt === undefined || expectedAt > dueAt + 1) {
      scheduleJob(runtime, { kind: CHANNEL_STATISTICS, key: '', dueAt })
    }
  }

  /** Records that the job is due again at `next`. */
  restUntil(next: number | undefined, now: number): void {
    this.#isExpected = next !== undefined && next <= now + STATISTICS_EVERY_SECONDS
  }
}
