import { HOUSEKEEPING } from '../domain/events/register-queue.ts'
import { readMeta, writeMeta } from '../domain/meta-rows.ts'
import { oldestLogId, trimLog } from '../events/log.ts'
import { deleteQueue, type EventQueue, listQueues } from '../events/queue.ts'
import type { CountedSql } from './counted-sql.ts'
import { type JobAlarm, scheduleJob } from './job-alarm.ts'
import type { PollSockets } from './poll-sockets.ts'
import type { Projector } from './projector.ts'
import { type QueueProgress, SAVE_EVERY_SECONDS } from './queue-progress.ts'

export { HOUSEKEEPING }

const EVERY_SECONDS = 300
/** A log of so many ids is worth a trim, even if no queue asks for housekeeping. */
const LONG_LOG = 1_000
/** Ids trimmed at a time: a long log that comes free at once must not hold the realm up. */
const TRIMMED_AT_ONCE = 20_000

/** The parts of a running realm object that keeping house looks at. */
interface House {
  readonly sql: CountedSql
  readonly alarm: JobAlarm
  readonly projector: Projector
  readonly polls: PollSockets
  readonly progress: QueueProgress
  now(): number
}

/**
 * Ends the queues that nobody uses any more, and takes off the log what every cursor has passed.
 * Registering a queue schedules it, and so does a long log.
 */
export class Housekeeping {
  /** The log holds nothing up to this id; undefined until it is first needed. */
  #trimmed: number | undefined
  /** It has been asked for because of the log, and has not run since. */
  #expected = false

  /** The log has grown up to this id. */
  logGrew(runtime: House, newestId: number): void {
    if (this.#expected || newestId - this.#trimmedIn(runtime) < LONG_LOG) return
    this.#expected = true
    scheduleJob(runtime, { kind: HOUSEKEEPING, key: '', dueAt: runtime.now() + EVERY_SECONDS })
  }

  /** Answers when it is due again (UNIX seconds), while there are queues to look after. */
  run(runtime: House): number | undefined {
    const now = runtime.now()
    this.#expected = false
    const live = listQueues(runtime.sql).filter((queue) => !endIfUnused(runtime, queue, now))
    runtime.projector.passEvents()
    const cursors = live.map((queue) => runtime.progress.of(queue).acked)
    const isTrimmed = this.#trim(runtime, Math.min(runtime.projector.projected, ...cursors))
    if (!isTrimmed) return now + 1
    return live.length > 0 ? now + EVERY_SECONDS : undefined
  }

  /** False when there is more to trim than is done at once. */
  #trim(runtime: House, upTo: number): boolean {
    const trimmed = this.#trimmedIn(runtime)
    if (upTo <= trimmed) return true
    const until = Math.min(upTo, Math.max(trimmed, oldestLogId(runtime.sql) ?? 0) + TRIMMED_AT_ONCE)
    trimLog(runtime.sql, until)
    writeMeta(runtime.sql, 'trimmed', until)
    this.#trimmed = until
    return until === upTo
  }

  #trimmedIn({ sql }: House): number {
    this.#trimmed ??= readMeta<number>(sql, 'trimmed') ?? 0
    return this.#trimmed
  }
}

/** A queue in use never ends; one that is not, when its lifespan has surely passed. */
function endIfUnused(runtime: House, queue: EventQueue, now: number): boolean {
  // Before an eviction it may have been seen this much later than was saved.
  const idle = now - runtime.progress.of(queue).seenAt - SAVE_EVERY_SECONDS
  if (idle <= queue.lifespan || runtime.polls.isWaiting(queue.id)) return false
  deleteQueue(runtime.sql, queue.id)
  runtime.progress.forget(queue.id)
  return true
}
