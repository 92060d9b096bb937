import { type DueJob, finishJob, leaseJob, listDueJobs } from './job-rows.ts'
import type { Runtime } from './runtime.ts'

/** What a handler answers that has begun something which ends the job itself: until then it stays due. */
export const UNDER_WAY = 'under way'

/** The time (UNIX seconds) at which the same job is due next; undefined when it is done. */
type NextTime = number | typeof UNDER_WAY | undefined

/** A kind of due work. A handler is idempotent: after a crash it runs again. */
export type JobHandler = (runtime: Runtime, key: string) => NextTime | Promise<NextTime>

const FIRST_RETRY_SECONDS = 5
const LONGEST_RETRY_SECONDS = 600
const JOBS_PER_ALARM = 100

/**
 * Runs what is due. A job that fails is tried again later and holds no other job up, and neither does one
 * that waits for somebody outside: they are begun in their order and end in any.
 */
export async function runDueJobs(
  runtime: Runtime,
  handlers: Readonly<Record<string, JobHandler>>,
): Promise<void> {
  const due = listDueJobs(runtime.sql, runtime.now(), JOBS_PER_ALARM)
  await Promise.all(due.map((job) => runJob(runtime, handlers, job)))
  runtime.alarm.follow()
}

async function runJob(
  runtime: Runtime,
  handlers: Readonly<Record<string, JobHandler>>,
  job: DueJob,
): Promise<void> {
  const leased = leaseJob(runtime.sql, job, runtime.now() + retrySeconds(job))
  if (!leased) return
  try {
    const next = await handlers[job.kind]?.(runtime, job.key)
    if (next !== UNDER_WAY) finishJob(runtime.sql, leased, next)
  } catch (error) {
    console.error(`Job ${job.kind} ${job.key} failed`, error)
  }
}

function retrySeconds({ attempts }: DueJob): number {
  return Math.min(FIRST_RETRY_SECONDS * 2 ** attempts, LONGEST_RETRY_SECONDS)
}
