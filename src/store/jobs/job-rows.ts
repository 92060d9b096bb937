import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

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
