import type { CountedSql } from './counted-sql.ts'
import { type Job, nextDueAt, putJob } from './job-rows.ts'

/** The object's one alarm, kept at the earliest due job (DESIGN 7). Setting it is billed as a row. */
export class JobAlarm {
  readonly #storage: DurableObjectStorage
  readonly #sql: CountedSql
  /** UNIX seconds; null when there is no alarm, undefined while that is not known. */
  #setFor: number | null | undefined

  constructor(storage: DurableObjectStorage, sql: CountedSql) {
    this.#storage = storage
    this.#sql = sql
  }

  /** The table of jobs has changed. */
  follow(): void {
    const next = nextDueAt(this.#sql)
    if (next === this.#setFor) return
    this.#setFor = next
    if (next === null) void this.#storage.deleteAlarm()
    else void this.#storage.setAlarm(next * 1_000)
    this.#sql.count({ read: 0, written: 1 })
  }

  /** It has gone off: there is none until the next `follow`. */
  wentOff(): void {
    this.#setFor = null
  }

  /** After waking: the platform gives an alarm up that has failed too often, the jobs are still due. */
  async check(): Promise<void> {
    const at = await this.#storage.getAlarm()
    if (this.#setFor !== undefined) return
    this.#setFor = at === null ? null : Math.floor(at / 1_000)
    this.follow()
  }
}

/** Makes a job due outside any command: retries of the projector, housekeeping. */
export function scheduleJob(runtime: { readonly sql: CountedSql; readonly alarm: JobAlarm }, job: Job): void {
  putJob(runtime.sql, job)
  runtime.alarm.follow()
}
