import { LOG_DELETED_AT_ONCE, LOG_KEPT_FOR_QUEUES, QUEUES_PER_TURN } from '../../core/budgets.ts'
import { trimOldAuditEntries } from '../../domain/audit-log/audit-entry-rows.ts'
import { HOUSEKEEPING } from '../../domain/events/housekeeping-job.ts'
import { readMeta, writeMeta } from '../../domain/meta-rows.ts'
import { deleteLogEntries, newestLogId, newestLogIdBefore, oldestLogId } from '../../events/log.ts'
import { deleteQueue, listQueuesAfter, type SavedQueue } from '../../events/queue.ts'
import type { CountedSql } from '../calls/counted-sql.ts'
import type { PollSockets } from '../polls/poll-sockets.ts'
import { type QueueProgress, SAVE_EVERY_SECONDS } from '../polls/queue-progress.ts'
import type { Projectors, SavedCursors } from '../projection/body-tails.ts'
import { type JobAlarm, scheduleJob } from './job-alarm.ts'

export { HOUSEKEEPING }

const EVERY_SECONDS = 300
/** A log of so many ids is worth a trim, even if no queue asks for housekeeping. */
const LONG_LOG = 1_000

/** The parts of a running realm object that keeping house looks at. */
interface House {
  readonly sql: CountedSql
  readonly alarm: JobAlarm
  readonly projector: Projectors
  readonly cursor: SavedCursors
  readonly polls: PollSockets
  readonly progress: QueueProgress
  auditLogDays(): number
  /** Bytes of the object's SQLite. */
  databaseSize(): number
  now(): number
}

/**
 * Ends the queues that nobody uses any more, and frees on the log what every cursor has passed.
 * Registering a queue schedules it, and so does a long log.
 *
 * What is freed is first written over by what happens next (`insertLogEntry`); what nothing has been
 * written over until the next time is deleted, so that a log does not keep what nobody asks for.
 */
export class Housekeeping {
  /** Every cursor has passed this id; undefined until it is first needed. */
  #trimmed: number | undefined
  /** Whether it has been asked for because of the log, and has not run since. */
  #expected = false

  /** The log has grown up to this id. */
  logGrew(runtime: House, newestId: number): void {
    if (this.#expected || newestId - this.trimmed(runtime.sql) < LONG_LOG) return
    this.#expected = true
    scheduleJob(runtime, { kind: HOUSEKEEPING, key: '', dueAt: runtime.now() + EVERY_SECONDS })
  }

  /** The queues are looked at in several turns when there are many. */
  #look: QueuesSoFar | undefined

  /** Answers when it is due again (UNIX seconds), while there are queues, free rows, rows that D1 lacks or an audit log to look after. */
  run(runtime: House, ended: QueueEnded = () => {}): number | undefined {
    const now = runtime.now()
    this.#expected = false
    // A long log that comes free at once must not hold the realm up: it goes in turns, before the queues are looked at again.
    if (!this.#look && !this.#deleteFreed(runtime)) return now
    if (!this.#look) runtime.polls.endSilentStreams(Date.now())
    // A queue that is opened meanwhile begins above what is the newest now.
    this.#look ??= { after: '', hasLive: false, least: newestLogId(runtime.sql) }
    const look = lookAtQueues(
      runtime,
      this.#look,
      now,
      newestLogIdBefore(runtime.sql, now - logKeptFor(runtime.databaseSize())),
      ended,
    )
    this.#look = look.isOver ? undefined : look
    if (!look.isOver) return now
    runtime.projector.passEvents()
    // Somebody may have restored D1 from a copy.
    void runtime.projector.look()
    const hasFreed = this.#free(runtime, Math.min(runtime.projector.projected, look.least))
    const oldEntriesAt = trimOldAuditEntries(runtime.sql, now, runtime.auditLogDays())
    // What D1 has not got yet is not free, and says perhaps what was deleted.
    const isAhead = runtime.projector.projected < newestLogId(runtime.sql)
    return hasFreed || look.hasLive || isAhead ? now + EVERY_SECONDS : oldEntriesAt
  }

  /** Deletes what was free the last time and still is. False when that is more than is done at once. */
  #deleteFreed(runtime: House): boolean {
    const freed = this.trimmed(runtime.sql)
    const oldest = oldestLogId(runtime.sql)
    if (oldest === undefined || oldest > freed) return true
    const until = Math.min(freed, oldest + LOG_DELETED_AT_ONCE)
    deleteLogEntries(runtime.sql, until)
    return until === freed
  }

  #free(runtime: House, upTo: number): boolean {
    if (upTo <= this.trimmed(runtime.sql)) return false
    runtime.cursor.save()
    writeMeta(runtime.sql, 'trimmed', upTo)
    this.#trimmed = upTo
    return true
  }

  /** Entries above this id are still needed: none of them is free. */
  keepAfter(sql: CountedSql, id: number): void {
    if ((this.#trimmed ?? readMeta<number>(sql, 'trimmed') ?? 0) <= id) return
    writeMeta(sql, 'trimmed', id)
    this.#trimmed = id
  }

  /** Everything up to this id is gone from the log, or may go. */
  trimmed(sql: CountedSql): number {
    this.#trimmed ??= readMeta<number>(sql, 'trimmed') ?? 0
    return this.#trimmed
  }
}

/** In seconds. */
function logKeptFor(databaseSize: number): number {
  return LOG_KEPT_FOR_QUEUES.find(({ fromBytes }) => databaseSize >= fromBytes)!.seconds
}

/** A client has gone without a word; it was seen last at `seenAt` (UNIX seconds). */
type QueueEnded = (queueId: string, seenAt: number) => void

/** The facts of the queues that have been looked at. */
interface QueuesSoFar {
  /** The id of the last of them. */
  readonly after: string
  readonly hasLive: boolean
  /** All of them have passed this event. */
  readonly least: number
}

/** Ends those of the next queues that nobody uses, or that have not got beyond `tooOld`, a log id. */
function lookAtQueues(
  runtime: House,
  { after, hasLive, least }: QueuesSoFar,
  now: number,
  tooOld: number,
  ended: QueueEnded,
): QueuesSoFar & { readonly isOver: boolean } {
  const queues = listQueuesAfter(runtime.sql, after, QUEUES_PER_TURN)
  const live = queues.filter((queue) => !endIfUnused(runtime, queue, now, tooOld, ended))
  return {
    after: queues.at(-1)?.id ?? after,
    hasLive: hasLive || live.length > 0,
    least: live.reduce((least, queue) => Math.min(least, runtime.progress.of(queue).acked), least),
    isOver: queues.length < QUEUES_PER_TURN,
  }
}

/**
 * A queue in use never ends, unless its client only asks and acknowledges nothing; one that is not, when its lifespan
 * has surely passed.
 */
function endIfUnused(
  runtime: House,
  queue: SavedQueue,
  now: number,
  tooOld: number,
  ended: QueueEnded,
): boolean {
  const { acked, seenAt } = runtime.progress.of(queue)
  // Before an eviction it may have been seen this much later than was saved.
  const idle = now - seenAt - SAVE_EVERY_SECONDS
  const isInUse = idle <= queue.lifespan || runtime.polls.isWaiting(queue.id)
  if (isInUse && acked >= tooOld) return false
  runtime.polls.end(queue.id)
  deleteQueue(runtime.sql, queue.id)
  runtime.progress.forget(queue.id)
  ended(queue.id, seenAt)
  return true
}
