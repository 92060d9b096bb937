import type { Sql, WritableSql } from '../../core/sql.ts'

/** Something to be done at a time. One job for each kind and key. The table `job` is owned by this file. */
export interface Job {
  readonly kind: string
  readonly key: string
  /** UNIX seconds; kept in whole ones, and never run before. */
  readonly dueAt: number
}

export interface DueJob extends Job {
  /** How often it was started without having been finished. */
  readonly attempts: number
  /** When that began (UNIX seconds); null before. */
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

/** Enters a job; of two times for the same job the earlier wins, but what has failed keeps its pause. */
export function putJob(sql: WritableSql, { kind, key, dueAt }: Job): void {
  sql.run(
    `INSERT INTO job (kind, key, due_at) VALUES (?1, ?2, ?3)
     ON CONFLICT (kind, key) DO UPDATE SET due_at = ?3 WHERE due_at > ?3 AND is_resting = 0`,
    kind,
    key,
    Math.ceil(dueAt),
  )
}

export function deleteJob(sql: WritableSql, { kind, key }: Pick<Job, 'kind' | 'key'>): void {
  sql.run(`DELETE FROM job WHERE kind = ? AND key = ?`, kind, key)
}

/** Kinds of which there is any job. Each is one step in the index, however many jobs it has. */
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

/** The job of a kind that is due first; undefined when there is none. */
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

/** The first `limit` jobs due at `now`, of every kind, the oldest first: to be looked at, not to be run. */
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
 * Begins a job: until it is finished it is due again at `until`, in case that the object dies over it.
 * Undefined when it has been taken off or moved since it was listed.
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

/** The job is done, or due at `next`, unless somebody asked for it again meanwhile. */
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

/** The job has failed: it is tried again at `until`, and not before, whoever asks for it. */
export function restJob(sql: WritableSql, { kind, key, dueAt }: DueJob, until: number): void {
  // Somebody may have asked for it while it was under way, and would be asked again at once.
  sql.run(
    `UPDATE job SET due_at = ?4, is_resting = 1 WHERE kind = ?1 AND key = ?2 AND due_at <= ?3`,
    kind,
    key,
    dueAt,
    Math.ceil(until),
  )
}

function jobOf({ kind, key, due_at, attempts, first_tried_at }: JobRow): DueJob {
  return { kind, key, dueAt: due_at, attempts, firstTriedAt: first_tried_at }
}
