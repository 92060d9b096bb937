import { dailyLimitOf } from '../../core/daily-limits.ts'
import type { JobKind } from '../../core/job-kinds.ts'
import type { NextTime } from '../../core/job-runtime.ts'
import { type LogLevel, log } from '../../core/log.ts'
import { sample } from '../../core/metrics.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { withinTime } from '../../core/within-time.ts'
import { addDeadLetter } from '../../outgoing/add-dead-letter.ts'
import {
  kindsOf,
  LANE_NAMES,
  LANES,
  type Lane,
  type LaneName,
  laneOf,
  pauseAfter,
} from '../../outgoing/lanes.ts'
import { randomOf, reasonOf } from '../../outgoing/outgoing-work.ts'
import {
  type DueJob,
  deleteJob,
  finishJob,
  leaseJob,
  listJobKinds,
  nextJobOf,
  restJob,
} from '../../store/jobs/job-rows.ts'
import type { Runtime } from '../runtime.ts'
import type { JobHandler } from './change-by-job.ts'
import { followClock } from './follow-clock.ts'

export type JobHandlers = Readonly<Record<JobKind, JobHandler>>

/** Pauses of kinds that this build does not know: they are checked again ever more rarely. */
const UNKNOWN: Pick<Lane, 'firstPauseSeconds' | 'growth' | 'maxPauseSeconds'> = {
  firstPauseSeconds: 60,
  growth: 4,
  maxPauseSeconds: 3_600,
}
const UNKNOWN_PER_SLICE = 100

/**
 * Begins due jobs, lane by lane, and waits for none: a lane that is full, or hangs, delays no other. If the object dies, a started job is
 * due again when its lease ends. While many rows still follow a clock that was set back, the jobs wait.
 */
export function runDueJobs(runtime: Runtime, handlers: JobHandlers): Promise<void> | undefined {
  const following = followClock(runtime)
  if (following) return following.then(() => beginDueJobs(runtime, handlers))
  beginDueJobs(runtime, handlers)
  return undefined
}

function beginDueJobs(runtime: Runtime, handlers: JobHandlers): void {
  runtime.clock.save(runtime.sql)
  for (const lane of LANE_NAMES) runLane(runtime, handlers, lane)
  keepUnknownJobs(runtime)
  runtime.alarm.follow()
}

function runLane(runtime: Runtime, handlers: JobHandlers, name: LaneName): void {
  const goOn = () => {
    // The alarm goes off when all has followed the clock.
    if (runtime.clock.following) return
    runLane(runtime, handlers, name)
    runtime.alarm.follow()
  }
  for (let started = 0; runtime.lanes.isFree(name); started += 1) {
    const job = nextDueJob(runtime, kindsOf(name))
    if (!job) return
    // Other work has its turn in between.
    const isSliceOver = started >= LANES[name].jobsPerSlice || runtime.lanes.isSliceOver(name)
    if (isSliceOver) runtime.lanes.rest(name, runtime.pause, goOn)
    else beginJob(runtime, handlers, name, job, goOn)
  }
}

/** Returns the job of a lane that has been due longest. */
function nextDueJob({ sql, now }: Runtime, kinds: readonly string[]): DueJob | undefined {
  const at = now()
  return kinds
    .flatMap((kind) => nextJobOf(sql, kind) ?? [])
    .filter(({ dueAt }) => dueAt <= at)
    .sort((a, b) => a.dueAt - b.dueAt)[0]
}

function beginJob(
  runtime: Runtime,
  handlers: JobHandlers,
  name: LaneName,
  job: DueJob,
  next: () => void,
): void {
  const lane: Lane = LANES[name]
  const now = runtime.now()
  const leased = leaseJob(runtime.sql, job, now, now + lane.leaseSeconds)
  if (!leased) return
  const run = new JobRun(runtime, lane, leased)
  try {
    // The object has died during the job too often.
    if (leased.attempts > lane.tries) throw new Error('The server stopped before it was finished.')
    const result = handlers[job.kind as JobKind](runtime, job.key)
    if (!(result instanceof Promise)) run.end(result)
    else runtime.lanes.begin(name, () => run.wait(result), next)
  } catch (error) {
    run.fail(error)
  }
}

class JobRun {
  readonly #runtime: Runtime
  readonly #lane: Lane
  readonly #job: DueJob
  readonly #beganAt = Date.now()

  constructor(runtime: Runtime, lane: Lane, leased: DueJob) {
    this.#runtime = runtime
    this.#lane = lane
    this.#job = leased
  }

  /** Waits for the result. A run that outlasts its lease has failed, since another one may begin. */
  async wait(result: Promise<NextTime>): Promise<void> {
    try {
      this.end(await withinTime(this.#lane.leaseSeconds * 1_000, result, 'The run took too long'))
    } catch (error) {
      this.fail(error)
    }
  }

  end(next: NextTime): void {
    finishJob(this.#runtime.sql, this.#job, next)
    const facts = next === undefined ? {} : { next_in_s: Math.round(next - this.#runtime.now()) }
    this.#log('info', next === undefined ? 'done' : 'again later', facts)
  }

  fail(error: unknown): void {
    const job = this.#job
    const limit = dailyLimitOf(error, this.#runtime.now())
    const isOver = !limit && job.attempts >= this.#lane.tries
    this.#runtime.change((tx) => {
      if (limit) return restJob(tx.sql, job, limit.until)
      if (!isOver) return restJob(tx.sql, job, tx.now + pauseAfter(this.#lane, job.attempts, randomOf(tx)))
      deleteJob(tx.sql, job)
      giveUpJob(tx, job, reasonOf(error))
    })
    this.#log('error', isOver ? 'given up' : 'failed', { error })
  }

  #log(level: LogLevel, outcome: 'done' | 'again later' | 'failed' | 'given up', facts: object): void {
    const { kind, attempts } = this.#job
    const cost = { duration_ms: Date.now() - this.#beganAt, attempts, outcome }
    this.#runtime.usage.count(sample('jobs_total', { outcome: outcome.replace(' ', '_') }))
    log(level, 'job', { kind, ...cost, ...facts, organization: this.#runtime.realm.host })
  }
}

/** Delays jobs of a newer build that was rolled back, until it returns. */
function keepUnknownJobs({ sql, now, realm }: Runtime): void {
  for (const kind of listJobKinds(sql)) {
    if (laneOf(kind)) continue
    for (let count = 0; count < UNKNOWN_PER_SLICE; count += 1) {
      const job = nextJobOf(sql, kind)
      if (!job || job.dueAt > now()) break
      leaseJob(sql, job, now(), now() + pauseOfUnknown(job))
      if (job.attempts === 0) log('warn', 'job of an unknown kind', { kind, organization: realm.host })
    }
  }
}

function pauseOfUnknown({ attempts }: DueJob): number {
  return Math.min(UNKNOWN.firstPauseSeconds * UNKNOWN.growth ** attempts, UNKNOWN.maxPauseSeconds)
}

/** Moves a job to the dead letters, from which it can be retried. */
function giveUpJob(tx: RealmTransaction, { kind, key, attempts, firstTriedAt }: DueJob, error: string): void {
  addDeadLetter(tx, {
    kind: 'job',
    description: key === '' ? kind : `${kind} ${key}`,
    firstTriedAt,
    attempts,
    error,
    payload: { kind, key },
  })
}
