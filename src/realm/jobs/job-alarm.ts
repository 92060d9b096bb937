import { dailyLimitOf } from '../../core/daily-limits.ts'
import { log } from '../../core/log.ts'
import type { RealmIdentity } from '../../core/realm-transaction.ts'
import type { CountedSql } from '../../engine/counted-sql.ts'
import { laneOf } from '../../outgoing/lanes.ts'
import type { WorkInLanes } from '../../outgoing/work-in-lanes.ts'
import { enqueueJob, type Job, listJobKinds, nextJobOf } from '../../store/jobs/job-rows.ts'

/** Seconds of delay from which an alarm counts as lost. */
const LOST_AFTER_SECONDS = 60
/** Seconds after which to look again. Jobs in a full lane start when another job there ends; the alarm is for an eviction before that. */
const LOOK_AGAIN_SECONDS = 60

interface AlarmParts {
  readonly storage: DurableObjectStorage
  readonly sql: CountedSql
  readonly lanes: WorkInLanes
  readonly realm: Pick<RealmIdentity, 'id'>
  now(): number
}

/**
 * The object's one alarm, set to the earliest due job (docs/decisions/design.md#time-comes-from-the-transaction). Setting it is billed as
 * a row.
 */
export class JobAlarm {
  readonly #parts: AlarmParts
  /** UNIX seconds; null without an alarm, undefined while that is not known. */
  #setFor: number | null | undefined

  constructor(parts: AlarmParts) {
    this.#parts = parts
  }

  #wasRefused = false

  /** Whether the alarm should have gone off long ago, or could not be set. */
  get isLost(): boolean {
    return (
      this.#wasRefused ||
      (typeof this.#setFor === 'number' && this.#setFor < this.#parts.now() - LOST_AFTER_SECONDS)
    )
  }

  /** Sets the alarm after a change of the jobs, or after its loss. */
  follow(): void {
    try {
      this.#follow()
    } catch (error) {
      if (!dailyLimitOf(error)) throw error
      this.#refused(error)
    }
  }

  #follow(): void {
    const next = this.#nextAt()
    if (next === this.#setFor && !this.isLost) return
    this.#setFor = next
    this.#wasRefused = false
    void this.#set(next)
    this.#parts.sql.count({ read: 0, written: 1 })
  }

  /** @param next UNIX seconds; null: none */
  async #set(next: number | null): Promise<void> {
    const { storage } = this.#parts
    try {
      await (next === null ? storage.deleteAlarm() : storage.setAlarm(next * 1_000))
    } catch (error) {
      this.#refused(error)
    }
  }

  #refused(error: unknown): void {
    this.#wasRefused = true
    log('warn', 'The alarm was refused, and will be set after the next change', {
      realm_id: this.#parts.realm.id,
      error,
    })
  }

  /** Records that the alarm has gone off: there is none until the next `follow`. */
  wentOff(): void {
    this.#setFor = null
  }

  /** Sets the alarm after waking: the platform drops one that has failed too often, while jobs are still due. */
  async check(): Promise<void> {
    const at = await this.#parts.storage.getAlarm()
    if (this.#setFor !== undefined) return
    this.#setFor = at === null ? null : Math.floor(at / 1_000)
    this.follow()
  }

  /** UNIX seconds; null without a job. */
  #nextAt(): number | null {
    const { sql, lanes, now } = this.#parts
    let next: number | null = null
    for (const kind of listJobKinds(sql)) {
      const due = nextJobOf(sql, kind)?.dueAt
      if (due === undefined) continue
      const lane = laneOf(kind)
      const isWaiting = due <= now() && lane !== undefined && !lanes.isFree(lane)
      const at = isWaiting ? (Math.floor(now() / LOOK_AGAIN_SECONDS) + 2) * LOOK_AGAIN_SECONDS : due
      next = next === null ? at : Math.min(next, at)
    }
    return next
  }
}

/** Schedules a job outside any command: retries of the projector, housekeeping. */
export function scheduleJob(runtime: { readonly sql: CountedSql; readonly alarm: JobAlarm }, job: Job): void {
  enqueueJob(runtime.sql, job)
  runtime.alarm.follow()
}
