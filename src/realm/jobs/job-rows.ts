import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../../store/select-rows.ts'
import type { CountedSql } from '../calls/counted-sql.ts'
import type { PoolWork } from '../outgoing/pool-work.ts'
import { workerPoolOf } from '../outgoing/worker-pools.ts'

/** Work that is due at a time: one job for each kind and key. This file owns the table `job`. */
export interface Job {
  readonly kind: string
  readonly key: string
  /** UNIX seconds, stored as an integer; never run before. */
  readonly dueAt: number
}

export interface DueJob extends Job {
  /** Number of tries since it last finished. */
  readonly attempts: number
  /** Time of the first of them (UNIX seconds); null before. */
  readonly firstTriedAt: number | null
}

const JOBS = new Rows<DueJob>('job', 'kind key due_at attempts first_tried_at')

/** Enters a job. Of two times for the same job the earlier wins, but a failed job keeps its pause. Returns whether anything changed. */
export function enqueueJob(sql: WritableSql, { kind, key, dueAt }: Job): boolean {
  const written = sql.run(
    `INSERT INTO job (kind, key, due_at) VALUES (?1, ?2, ?3)
     ON CONFLICT (kind, key) DO UPDATE SET due_at = ?3 WHERE due_at > ?3 AND is_resting = 0`,
    kind,
    key,
    Math.ceil(dueAt),
  )
  return written > 0
}

/** Moves a later job to `dueAt`, if there is one; a failed one keeps its pause. Returns whether it moved. */
export function hastenJob(sql: WritableSql, { kind, key, dueAt }: Job): boolean {
  const at = Math.ceil(dueAt)
  return (
    sql.run(
      `UPDATE job SET due_at = ?3 WHERE kind = ?1 AND key = ?2 AND due_at > ?3 AND is_resting = 0`,
      kind,
      key,
      at,
    ) > 0
  )
}

/** Makes the jobs of a kind that were never tried due now. */
export function hastenNewJobs(sql: WritableSql, kind: string, now: number): void {
  const statement = `UPDATE job SET due_at = ?2 WHERE kind = ?1 AND due_at > ?2 AND attempts = 0 AND is_resting = 0`
  sql.run(statement, kind, Math.floor(now))
}

export function deleteJob(sql: WritableSql, { kind, key }: Pick<Job, 'kind' | 'key'>): void {
  sql.run(`DELETE FROM job WHERE kind = ? AND key = ?`, kind, key)
}

/** Lists the kinds that have jobs: one step in the index for each, however many jobs it has. */
export function listJobKinds(sql: Sql): string[] {
  const kinds: string[] = []
  for (;;) {
    const kind = sql.value<string>(`SELECT MIN(kind) AS kind FROM job WHERE kind > ?`, kinds.at(-1) ?? '')
    if (kind === undefined) return kinds
    kinds.push(kind)
  }
}

/** Returns the job of a kind that is due first; undefined without one. */
export function nextJobOf(sql: Sql, kind: string): DueJob | undefined {
  return JOBS.first(
    sql,
    `SELECT * FROM (SELECT ${JOBS.columns} FROM job WHERE kind = ?1 AND key = '')
     UNION ALL
     SELECT * FROM (SELECT ${JOBS.columns} FROM job WHERE kind = ?1 AND key <> '' ORDER BY due_at LIMIT 1)
     ORDER BY dueAt LIMIT 1`,
    kind,
  )
}

/** Lists the first `limit` jobs due at `now`, of every kind, the oldest first, without beginning them. */
export function listDueJobs(sql: Sql, now: number, limit: number): DueJob[] {
  const statement = `SELECT ${JOBS.columns} FROM job WHERE due_at <= ? ORDER BY due_at LIMIT ?`
  return JOBS.all(sql, statement, Math.floor(now), limit)
}

/** Begins a job, which is due again at `until` in case the object dies. Undefined if it was removed or moved. */
export function leaseJob(sql: WritableSql, job: DueJob, now: number, until: number): DueJob | undefined {
  return JOBS.returned(
    sql,
    `UPDATE job SET due_at = ?4, attempts = attempts + 1, is_resting = 0,
       first_tried_at = CASE attempts WHEN 0 THEN ?5 ELSE first_tried_at END
     WHERE kind = ?1 AND key = ?2 AND due_at = ?3 RETURNING ${JOBS.columns}`,
    job.kind,
    job.key,
    job.dueAt,
    Math.ceil(until),
    Math.floor(now),
  )
}

/** Finishes a job, or makes it due at `next`, unless it was scheduled again in the meantime. */
export function finishJob(sql: WritableSql, { kind, key, dueAt }: DueJob, next: number | undefined): void {
  const leased = [kind, key, dueAt] as const
  if (next === undefined) {
    sql.run(`DELETE FROM job WHERE kind = ? AND key = ? AND due_at = ?`, ...leased)
  } else {
    sql.run(
      `UPDATE job SET due_at = ?4, attempts = 0 WHERE kind = ?1 AND key = ?2 AND due_at = ?3`,
      ...leased,
      Math.ceil(next),
    )
  }
}

/** Delays a failed job until `until`, even if it is scheduled again. */
export function restJob(sql: WritableSql, { kind, key, dueAt }: DueJob, until: number): void {
  // If it was scheduled meanwhile, it would run again at once.
  sql.run(
    `UPDATE job SET due_at = ?4, is_resting = 1 WHERE kind = ?1 AND key = ?2 AND due_at <= ?3`,
    kind,
    key,
    dueAt,
    Math.ceil(until),
  )
}

/** Seconds of delay from which an alarm counts as lost. */
const LOST_AFTER_SECONDS = 60
/** Seconds after which to look again. Jobs in a full lane start when another job there ends; the alarm is for an eviction before that. */
const LOOK_AGAIN_SECONDS = 60

interface AlarmParts {
  readonly storage: DurableObjectStorage
  readonly sql: CountedSql
  readonly lanes: PoolWork
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

  /** Whether the alarm should have gone off long ago. */
  get isLost(): boolean {
    return typeof this.#setFor === 'number' && this.#setFor < this.#parts.now() - LOST_AFTER_SECONDS
  }

  /** Sets the alarm after a change of the jobs, or after its loss. */
  follow(): void {
    const { storage, sql } = this.#parts
    const next = this.#nextAt()
    if (next === this.#setFor && !this.isLost) return
    this.#setFor = next
    if (next === null) void storage.deleteAlarm()
    else void storage.setAlarm(next * 1_000)
    sql.count({ read: 0, written: 1 })
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
      const lane = workerPoolOf(kind)
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
