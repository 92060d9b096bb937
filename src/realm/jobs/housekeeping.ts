import { BYTES_AT_ONCE, ENTRIES_AT_ONCE, ROWS_OF_SLICE } from '../../core/budgets.ts'
import { MAX_OBJECT } from '../../core/quotas.ts'
import type { CountedSql } from '../../engine/counted-sql.ts'
import type { Memory } from '../../engine/memory.ts'
import { deleteLogEntries, LOG_ENDS, lastOfOldest, newestLogId, newestLogIdBefore } from '../../events/log.ts'
import { deleteQueue, listQueuesAfter, type SavedQueue } from '../../events/queue.ts'
import { trimOldAuditEntries } from '../../store/audit-log/audit-entry-rows.ts'
import { hastenJob } from '../../store/jobs/job-rows.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import type { PollSockets } from '../polls/poll-sockets.ts'
import { type QueueProgress, SAVE_EVERY_SECONDS } from '../polls/queue-progress.ts'
import type { Projectors } from '../projection/body-tails.ts'
import { type JobAlarm, scheduleJob } from './job-alarm.ts'

/**
 * Seconds for which a queue that acknowledges nothing keeps the log: fewer, the fuller the object is. Otherwise one account that writes
 * much and reads nothing would fill it in a day. The client of a queue that has ended registers again.
 */
const LOG_KEPT_FOR_QUEUES = [
  { fromBytes: MAX_OBJECT, seconds: 60 },
  { fromBytes: 9_000_000_000, seconds: 300 },
  { fromBytes: 7_000_000_000, seconds: 3_600 },
  { fromBytes: 5_000_000_000, seconds: 86_400 },
  { fromBytes: 0, seconds: 604_800 },
] as const

const EVERY_SECONDS = 300
/** The same while the object is full, since people wait for room. */
const EVERY_SECONDS_WHEN_FULL = 30
/** Number of ids in the log above which it is trimmed, even if no queue asks for housekeeping. */
const LONG_LOG = 1_000

interface House {
  readonly sql: CountedSql
  readonly alarm: JobAlarm
  readonly projector: Projectors
  readonly polls: PollSockets
  readonly progress: QueueProgress
  readonly memory: Pick<Memory, 'forget'>
  auditLogDays(): number
  databaseSize(): number
  now(): number
}

/**
 * Ends unused queues, and frees entries of the log that every cursor has passed. Registering a queue schedules a run, and so does a long
 * log.
 *
 * Freed entries are overwritten by new ones first (`insertLogEntries`). Those that are left at the next run are deleted, so the log keeps
 * nothing that is no longer needed. While the object is full they are deleted at once.
 */
export class Housekeeping {
  /** The id that every cursor has passed; undefined until it is needed. */
  #trimmed: number | undefined
  /** Whether a run is scheduled because of the log. */
  #expected = false

  /** Follows the growth of the log up to this id. */
  logGrew(runtime: House, newestId: number): void {
    this.wake(runtime)
    if (this.#expected || newestId - this.trimmed(runtime.sql) < LONG_LOG) return
    this.#expected = true
    scheduleJob(runtime, { kind: 'housekeeping', key: '', dueAt: runtime.now() + EVERY_SECONDS })
  }

  /** Whether it sleeps until a queue ends; undefined until it has run or was woken. */
  #isAsleep: boolean | undefined

  /** Called for events and polls. The first after a silence schedules a run, so that acknowledged entries are freed soon. */
  wake(runtime: Pick<House, 'sql' | 'alarm' | 'now'>): void {
    if (this.#isAsleep === false) return
    this.#isAsleep = false
    const job = { kind: 'housekeeping', key: '', dueAt: runtime.now() + EVERY_SECONDS }
    if (hastenJob(runtime.sql, job)) runtime.alarm.follow()
  }

  /** Progress of checking the queues, which takes several turns if there are many. */
  #look: QueuesSoFar | undefined

  /**
   * Runs, and returns when it is due again (UNIX seconds): as long as there are queues, free rows, rows that D1 lacks, or an audit log to
   * trim. If all queues are of sleeping clients, that is when the first of them ends: phones sleep for days, and the object sleeps with
   * them.
   */
  run(runtime: House, ended: QueueEnded = () => {}): number | undefined {
    const now = runtime.now()
    this.#expected = false
    // A long log that becomes free at once is deleted in several turns, before the queues are checked again.
    if (!this.#look && !this.#deleteFreed(runtime)) return now
    if (!this.#look) runtime.polls.endSilentStreams(Date.now())
    // A queue that opens meanwhile begins above the newest id of now.
    this.#look ??= {
      after: '',
      endsAt: Number.POSITIVE_INFINITY,
      seenAt: 0,
      passed: newestLogId(runtime.sql),
    }
    const keptSeconds = logKeptFor(runtime.databaseSize())
    const look = lookAtQueues(
      runtime,
      this.#look,
      now,
      newestLogIdBefore(runtime.sql, now - keptSeconds),
      ended,
    )
    this.#look = look.isOver ? undefined : look
    if (!look.isOver) return now
    runtime.projector.passEvents()
    // Someone may have restored D1 from a copy.
    void runtime.projector.look()
    const hasFreed = this.#free(runtime, Math.min(runtime.projector.projected, look.passed))
    const oldEntriesAt = trimOldAuditEntries(runtime.sql, now, runtime.auditLogDays())
    // Entries that D1 lacks are not free, and may contain deleted texts.
    const isAhead = runtime.projector.projected < newestLogId(runtime.sql)
    const isSilent = look.seenAt < now - EVERY_SECONDS && runtime.polls.waiting().length === 0
    if (!hasFreed && !isAhead && isSilent && keptSeconds === KEPT_AT_MOST) {
      this.#isAsleep = true
      const next = Math.min(look.endsAt, oldEntriesAt ?? Number.POSITIVE_INFINITY)
      return Number.isFinite(next) ? Math.max(next, now + EVERY_SECONDS) : undefined
    }
    if (runtime.databaseSize() < MAX_OBJECT) return now + EVERY_SECONDS
    return hasFreed ? now : now + EVERY_SECONDS_WHEN_FULL
  }

  /** Deletes entries that were free at the last run and still are. False when they are more than one turn deletes. */
  #deleteFreed(runtime: House): boolean {
    const freed = this.trimmed(runtime.sql)
    const until = lastOfOldest(runtime.sql, freed, { entries: ROWS_OF_SLICE, bytes: BYTES_AT_ONCE })
    if (until === undefined) return true
    deleteLogEntries(runtime.sql, until)
    return until === freed
  }

  #free(runtime: House, upTo: number): boolean {
    if (upTo <= this.trimmed(runtime.sql)) return false
    runtime.projector.saveCursors()
    writeMeta(runtime.sql, 'trimmed', upTo)
    this.#trimmed = upTo
    runtime.memory.forget([LOG_ENDS.name])
    return true
  }

  /** Keeps entries above this id, which are still needed. */
  keepAfter(sql: CountedSql, id: number): void {
    if ((this.#trimmed ?? readMeta<number>(sql, 'trimmed') ?? 0) <= id) return
    writeMeta(sql, 'trimmed', id)
    this.#trimmed = id
  }

  /** Returns the id up to which entries are deleted, or may be. */
  trimmed(sql: CountedSql): number {
    this.#trimmed ??= readMeta<number>(sql, 'trimmed') ?? 0
    return this.#trimmed
  }
}

const KEPT_AT_MOST = LOG_KEPT_FOR_QUEUES.at(-1)!.seconds

/** Returns the seconds for which the log is kept for queues: fewer, the fuller the object is. */
function logKeptFor(databaseSize: number): number {
  return LOG_KEPT_FOR_QUEUES.find(({ fromBytes }) => databaseSize >= fromBytes)!.seconds
}

/** Called for a client that left without ending its queue; it was last seen at `seenAt` (UNIX seconds). */
type QueueEnded = (queueId: string, seenAt: number) => void

/** Facts about the queues that have been checked. */
interface QueuesSoFar {
  /** Id of the last queue that was read. */
  readonly after: string
  /** When the first of them ends unless it is polled again (UNIX seconds). */
  readonly endsAt: number
  /** When any of them was last polled (UNIX seconds). */
  readonly seenAt: number
  /** The event that all of them have passed. */
  readonly passed: number
}

/** Checks the next queues, and ends those that are unused, or have not passed `tooOld`, a log id. */
function lookAtQueues(
  runtime: House,
  { after, endsAt, seenAt, passed }: QueuesSoFar,
  now: number,
  tooOld: number,
  ended: QueueEnded,
): QueuesSoFar & { readonly isOver: boolean } {
  const queues = listQueuesAfter(runtime.sql, after, ENTRIES_AT_ONCE)
  const live = queues.filter((queue) => !endIfUnused(runtime, queue, now, tooOld, ended))
  return {
    after: queues.at(-1)?.id ?? after,
    endsAt: live.reduce(
      (first, queue) => Math.min(first, endOf(queue, runtime.progress.of(queue).seenAt)),
      endsAt,
    ),
    seenAt: live.reduce((last, queue) => Math.max(last, runtime.progress.of(queue).seenAt), seenAt),
    passed: live.reduce((passed, queue) => Math.min(passed, runtime.progress.of(queue).acked), passed),
    isOver: queues.length < ENTRIES_AT_ONCE,
  }
}

/** Ends a queue whose lifespan has surely passed; one in use only if its client polls and acknowledges nothing. */
function endIfUnused(
  runtime: House,
  queue: SavedQueue,
  now: number,
  tooOld: number,
  ended: QueueEnded,
): boolean {
  const { acked, seenAt } = runtime.progress.of(queue)
  const isInUse = now <= endOf(queue, seenAt) || runtime.polls.isWaiting(queue.id)
  if (isInUse && acked >= tooOld) return false
  runtime.polls.end(queue.id)
  deleteQueue(runtime.sql, queue.id)
  runtime.progress.forget(queue.id)
  ended(queue.id, seenAt)
  return true
}

/** Returns when the lifespan of a queue has surely passed: before an eviction it may have been seen later than was saved. */
function endOf({ lifespan }: SavedQueue, seenAt: number): number {
  return seenAt + SAVE_EVERY_SECONDS + lifespan
}

export interface AuditLogEnvironment {
  /** Days for which entries are kept: a year by default. */
  readonly AUDIT_LOG_DAYS?: string
}

const YEAR = 365
const TEN_YEARS = 3_650

/** Reads the setting. Anything but a whole number of days from 1 to ten years counts as not set. */
export function auditLogDays({ AUDIT_LOG_DAYS }: AuditLogEnvironment): number {
  const days = Number(AUDIT_LOG_DAYS ?? YEAR)
  return Number.isInteger(days) && days >= 1 && days <= TEN_YEARS ? days : YEAR
}
