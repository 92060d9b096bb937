import type { Sql } from '../core/sql.ts'

/** Something to be done at a time. One job for each kind and key. The table `job` is owned by this file. */
export interface Job {
  readonly kind: string
  readonly key: string
  /** UNIX seconds; kept in whole ones, and never run before. */
  readonly dueAt: number
}

export interface DueJob extends Job {
  /** How often it was begun without having been finished. */
  readonly attempts: number
}

/** Enters a job; of two times for the same job the earlier wins. */
export function putJob(sql: Sql, { kind, key, dueAt }: Job): void {
  sql.run(
    `INSERT INTO job (kind, key, due_at) VALUES (?1, ?2, ?3)
     ON CONFLICT (kind, key) DO UPDATE SET due_at = ?3 WHERE due_at > ?3`,
    kind,
    key,
    Math.ceil(dueAt),
  )
}

export function deleteJob(sql: Sql, { kind, key }: Pick<Job, 'kind' | 'key'>): void {
  sql.run(`DELETE FROM job WHERE kind = ? AND key = ?`, kind, key)
}

/** When the next job is due (UNIX seconds); null when there is none. */
export function nextDueAt(sql: Sql): number | null {
  return sql.first<{ due_at: number | null }>(`SELECT MIN(due_at) AS due_at FROM job`)?.due_at ?? null
}

/** The first `limit` jobs due at `now`, the oldest first. */
export function listDueJobs(sql: Sql, now: number, limit: number): DueJob[] {
  return sql
    .all<{ kind: string; key: string; due_at: number; attempts: number }>(
      `SELECT kind, key, due_at, attempts FROM job WHERE due_at <= ? ORDER BY due_at LIMIT ?`,
      Math.floor(now),
      limit,
    )
    .map(({ kind, key, due_at, attempts }) => ({ kind, key, dueAt: due_at, attempts }))
}

/**
 * Begins a job: until it is finished it is due again at `until`, in case that the object dies over it.
 * Undefined when it has been taken off or moved since it was listed.
 */
export function leaseJob(sql: Sql, job: DueJob, until: number): DueJob | undefined {
  const row = sql.first<{ due_at: number; attempts: number }>(
    `UPDATE job SET due_at = ?4, attempts = attempts + 1 WHERE kind = ?1 AND key = ?2 AND due_at = ?3
     RETURNING due_at, attempts`,
    job.kind,
    job.key,
    job.dueAt,
    Math.ceil(until),
  )
  return row && { kind: job.kind, key: job.key, dueAt: row.due_at, attempts: row.attempts }
}

/** The job is done, or due at `next`, unless somebody asked for it again meanwhile. */
export function finishJob(sql: Sql, { kind, key, dueAt }: DueJob, next: number | undefined): void {
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
