import type { Runtime } from './runtime.ts'

/**
 * A kind of due work. A handler is idempotent: after a crash it runs again. It may answer the time
 * (UNIX seconds) at which the same job is due next.
 */
export type JobHandler = (runtime: Runtime, key: string) => number | undefined | Promise<number | undefined>

interface JobRow {
  kind: string
  key: string
  due_at: number
  attempts: number
}

const FIRST_RETRY_SECONDS = 5
const LONGEST_RETRY_SECONDS = 600
const JOBS_PER_ALARM = 100

/** Sets the object's one alarm to the earliest due job, or takes it off (DESIGN 7). */
export function armAlarm(runtime: Runtime): void {
  const next = runtime.sql.first<{ due_at: number | null }>(`SELECT MIN(due_at) AS due_at FROM job`)?.due_at
  if (next === null || next === undefined) void runtime.storage.deleteAlarm()
  else void runtime.storage.setAlarm(next * 1_000)
}

/** Makes a job due outside any command: retries of the projector, housekeeping. */
export function scheduleJob(runtime: Runtime, kind: string, key: string, dueAt: number): void {
  runtime.sql.run(
    `INSERT INTO job (kind, key, due_at) VALUES (?1, ?2, ?3)
     ON CONFLICT (kind, key) DO UPDATE SET due_at = ?3 WHERE due_at > ?3`,
    kind,
    key,
    Math.ceil(dueAt),
  )
  armAlarm(runtime)
}

/** Runs what is due. A job that fails is tried again later and holds no other job up. */
export async function runDueJobs(
  runtime: Runtime,
  handlers: Readonly<Record<string, JobHandler>>,
): Promise<void> {
  const due = runtime.sql.all<JobRow>(
    `SELECT * FROM job WHERE due_at <= ? ORDER BY due_at LIMIT ?`,
    Math.floor(runtime.now()),
    JOBS_PER_ALARM,
  )
  for (const job of due) {
    const lease = leaseJob(runtime, job)
    try {
      const next = await handlers[job.kind]?.(runtime, job.key)
      finishJob(runtime, job, lease, next)
    } catch (error) {
      console.error(`Job ${job.kind} ${job.key} failed`, error)
    }
  }
  armAlarm(runtime)
}

/** Moves the job into the future before it runs: if the object dies meanwhile, it is due again then. */
function leaseJob(runtime: Runtime, job: JobRow): number {
  const wait = Math.min(FIRST_RETRY_SECONDS * 2 ** job.attempts, LONGEST_RETRY_SECONDS)
  const lease = Math.ceil(runtime.now() + wait)
  runtime.sql.run(
    `UPDATE job SET due_at = ?, attempts = attempts + 1 WHERE kind = ? AND key = ?`,
    lease,
    job.kind,
    job.key,
  )
  return lease
}

/** Unless somebody asked for it again meanwhile, the job is done, or due at `next`. */
function finishJob(runtime: Runtime, job: JobRow, lease: number, next: number | undefined): void {
  const found = [job.kind, job.key, lease] as const
  if (next === undefined) {
    runtime.sql.run(`DELETE FROM job WHERE kind = ? AND key = ? AND due_at = ?`, ...found)
  } else {
    runtime.sql.run(
      `UPDATE job SET due_at = ?4, attempts = 0 WHERE kind = ?1 AND key = ?2 AND due_at = ?3`,
      ...found,
      Math.ceil(next),
    )
  }
}
