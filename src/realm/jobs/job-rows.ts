import { hastenedRows } from '../../core/rows-of-clock.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { KINDS_AFTER_A_PAUSE } from '../outgoing/lanes.ts'

/** Work that is due at a time. One job for each kind and key. The table `job` is owned by this file. */
export interface Job {
  readonly kind: string
  readonly key: string
  /** UNIX seconds, stored as an integer; never run before. */
  readonly dueAt: number
}

export interface DueJob extends Job {
  /** Number of tries since it was last finished. */
  readonly attempts: number
  /** Time of the first of them (UNIX seconds); null before. */
  readonly firstTriedAt: number | null
}

interface JobRow {
  kind: string
  key: string
  due_at: number
  attempts: number
  first_tried_at: number | null
}

const COLUMNS = `kind, key, due_at, attempts, first_tried_at`

/**
 * Enters a job. The earlier of two times for the same job wins, but a failed job keeps its pause. Returns whether
 * anything has changed.
 */
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

/** Makes a job due at `dueAt`, if there is one and it is later; a failed one keeps its pause. Returns whether it was. */
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

export function deleteJob(sql: WritableSql, { kind, key }: Pick<Job, 'kind' | 'key'>): void {
  sql.run(`DELETE FROM job WHERE kind = ? AND key = ?`, kind, key)
}

/** Lists the kinds that have jobs. Each is one step in the index, however many jobs it has. */
export function listJobKinds(sql: Sql): string[] {
  const kinds: string[] = []
  for (;;) {
    const kind = sql.first<{ kind: string | null }>(
      `SELECT MIN(kind) AS kind FROM job WHERE kind > ?`,
      kinds.at(-1) ?? '',
    )?.kind
    if (kind == null) return kinds
    kinds.push(kind)
  }
}

/** Returns the job of a kind that is due first; undefined without one. */
export function nextJobOf(sql: Sql, kind: string): DueJob | undefined {
  const row = sql.first<JobRow>(
    `SELECT * FROM (SELECT ${COLUMNS} FROM job WHERE kind = ?1 AND key = '')
     UNION ALL
     SELECT * FROM (SELECT ${COLUMNS} FROM job WHERE kind = ?1 AND key <> '' ORDER BY due_at LIMIT 1)
     ORDER BY due_at LIMIT 1`,
    kind,
  )
  return row && jobOf(row)
}

/** Lists the first `limit` jobs due at `now`, of every kind, the oldest first, without beginning them. */
export function listDueJobs(sql: Sql, now: number, limit: number): DueJob[] {
  return sql
    .all<JobRow>(
      `SELECT ${COLUMNS} FROM job WHERE due_at <= ? ORDER BY due_at LIMIT ?`,
      Math.floor(now),
      limit,
    )
    .map(jobOf)
}

/**
 * Begins a job. Until it is finished it is due again at `until`, in case the object dies meanwhile. Undefined
 * when it has been removed or moved since it was listed.
 */
export function leaseJob(sql: WritableSql, job: DueJob, now: number, until: number): DueJob | undefined {
  const row = sql.runForFirst<JobRow>(
    `UPDATE job SET due_at = ?4, attempts = attempts + 1, is_resting = 0,
       first_tried_at = CASE attempts WHEN 0 THEN ?5 ELSE first_tried_at END
     WHERE kind = ?1 AND key = ?2 AND due_at = ?3 RETURNING ${COLUMNS}`,
    job.kind,
    job.key,
    job.dueAt,
    Math.ceil(until),
    Math.floor(now),
  )
  return row && jobOf(row)
}

/** Finishes a job, or makes it due at `next`, unless it was scheduled again meanwhile. */
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

/** Delays a failed job: it is retried at `until`, and not before, even if it is scheduled again. */
export function restJob(sql: WritableSql, { kind, key, dueAt }: DueJob, until: number): void {
  // It may have been scheduled meanwhile, and would be repeated at once.
  sql.run(
    `UPDATE job SET due_at = ?4, is_resting = 1 WHERE kind = ?1 AND key = ?2 AND due_at <= ?3`,
    kind,
    key,
    dueAt,
    Math.ceil(until),
  )
}

/**
 * The jobs whose times follow a clock that was set back: jobs that have begun or failed, and all jobs of the kinds
 * that are due after a pause.
 */
export const HASTENED_JOBS = hastenedRows(
  'job',
  ['kind', 'key'],
  `attempts > 0 OR kind IN (${KINDS_AFTER_A_PAUSE.map((kind) => `'${kind}'`).join()})`,
)

function jobOf({ kind, key, due_at, attempts, first_tried_at }: JobRow): DueJob {
  return { kind, key, dueAt: due_at, attempts, firstTriedAt: first_tried_at }
}
