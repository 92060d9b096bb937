import { D1_CALLS, ENTRIES_AT_ONCE, PAGE_OF_ROWS, TEXT_OF_SLICE } from '../../core/budgets.ts'
import { dailyLimitOf } from '../../core/daily-limits.ts'
import { StorageFullError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import type { MetLimit } from '../../core/met-limit.ts'
import type { D1Write } from '../../core/realm-transaction.ts'
import type { RowCounts, Sql } from '../../core/sql.ts'
import { TimeLimit } from '../../core/within-time.ts'
import { type LoggedWrites, newestLogId, readWritesAfter } from '../../events/log.ts'
import { isRefusedForGood, isWithoutRoom } from '../../store/d1/ask-d1.ts'
import {
  applyBatch,
  type BatchCost,
  planBatch,
  readStanding,
  UnknownStatementError,
} from '../../store/d1/projection.ts'
import { compareCursors, DatabaseRoom } from './d1-standing.ts'
import { sendDeletionsFirst } from './deletions-first.ts'

/**
 * Milliseconds between two runs of the projection, unless a request waits for it. Writes in between stay in the tail and go to D1 in one
 * batch. A single message goes at once.
 */
export const D1_REST_MS = 200

const FIRST_RETRY_SECONDS = 1
const MAX_RETRY_SECONDS = 60

/** The cursor of the projection, in log ids. */
export interface Cursor {
  /** D1 certainly has everything up to here; it may have more. */
  readonly projected: number
  /** D1's own cursor; undefined where it was never stored. */
  readonly applied: number | undefined
}

export interface ProjectorParts {
  readonly sql: Sql
  readonly db: D1Database
  readonly realmId: number
  readonly saved: Cursor
  /** Returns the writes of an entry that are for this database. */
  own(writes: readonly D1Write[]): readonly D1Write[]
  /** Whether the log has writes for this database above this id. */
  hasMore(after: number): boolean
  /** The last event id given out: nothing in the log is newer. */
  lastId(): number
  now(): number
  /** Returns the bytes that the database may have. */
  maxSize(): number
  /** Whether the texts of new messages go to this database. */
  readonly isNewest: boolean
  /** Returns the milliseconds between two runs, unless a run is asked for. */
  restMs(): number
  /** Called when D1 has everything up to `cursor.projected`. */
  onProjected(cursor: Cursor): void
  /** Schedules `retry` for a time (UNIX seconds), whatever happens to the object meanwhile. */
  retryAt(time: number): void
  /** Called when the platform allows D1 no more for now. */
  onLimit(met: MetLimit): void
  /** Sets aside an entry that D1 refuses. False if there is no room for more. */
  setAside(entry: LoggedWrites, reason: string): boolean
  /** Enters this organization in D1 again, which has lost it. */
  insertAgain(): Promise<void>
  /** Called when D1 has lost everything after this log id, from which the log is sent again. */
  onBehind(d1Cursor: number, known: number): void
  /** Called when D1 has entries that the object does not know. */
  onAhead(d1Cursor: number, known: number | undefined): Promise<void>
  reached(point: 'projecting' | 'projected'): void
}

/**
 * Sends the log's writes to one database of D1: in order, one batch at a time, each exactly once
 * (docs/decisions/design.md#the-log-is-the-only-stream). A slow or failing D1 only makes the tail longer; no send waits for it. A write
 * that D1 refuses for good is found by halving, and set aside once it is alone.
 */
export class Projector {
  readonly #parts: ProjectorParts
  /** All writes up to this log id are in D1. */
  #projected: number
  /** D1's own cursor when it was last certain. */
  #known: number | undefined
  /** D1's own cursor while it is certain; undefined after waking and after a failure of unclear outcome. */
  #applied: number | undefined
  readonly #newestAtWake: number
  #hasSent = false
  /** Whether D1 must be asked for its cursor, even if there is nothing to send. */
  #mustAsk = false
  #isStopped = false
  #running: Promise<void> | undefined
  #again = false
  /** Whether there are entries that the present run, or the one that has just ended, leaves to the next. */
  #hasGathered = false
  /** The pause after the last run. */
  #rest = new TimeLimit(0)
  #timer: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  /** Time since which D1 has failed, in UNIX seconds. */
  #failingSince: number | undefined
  /** Seconds of the pause after a failure. */
  #pause = 0
  /** Time before which nothing is sent then (UNIX seconds). */
  #pausedUntil = 0
  /** Limit of the entries of a batch, lowered during the search for a refused write. */
  #entriesAtOnce = PAGE_OF_ROWS
  readonly room: DatabaseRoom
  /** The log id up to which deletions were sent ahead to a database without room. */
  #deletedFirst = 0
  readonly counts: RowCounts = { read: 0, written: 0 }

  constructor(parts: ProjectorParts) {
    this.#parts = parts
    this.room = new DatabaseRoom(parts.maxSize, parts.isNewest)
    this.#projected = parts.saved.projected
    this.#known = parts.saved.applied
    this.#newestAtWake = newestLogId(parts.sql)
  }

  /** The log id up to which D1 certainly has everything. */
  get projected(): number {
    return this.#projected
  }

  get cursor(): Cursor {
    return { projected: this.#projected, applied: this.#known }
  }

  /** Time since which D1 has failed (UNIX seconds); undefined while it does not. */
  get failingSince(): number | undefined {
    return this.#failingSince
  }

  /** Whether D1 may have more than is known, since the object has just woken and D1 has neither answered nor failed. */
  get isInDoubt(): boolean {
    const isUnasked = this.#applied === undefined && this.#failingSince === undefined
    return isUnasked && !this.#isStopped && this.#parts.hasMore(this.#projected)
  }

  /**
   * Starts a run after the log has grown. Shortly after another run it waits for the pause to end, so that the entries of that time go in
   * one batch: D1 takes about as long for one entry as for fifty.
   */
  gather(): void {
    this.#hasGathered = true
    if (this.#running || this.#timer !== undefined) return
    if (this.#rest.isOver) void this.kick()
    else this.#timer = setTimeout(() => this.#endRest(), this.#rest.left)
  }

  #endRest(): void {
    this.#timer = undefined
    if (this.#hasGathered) void this.kick()
  }

  /** Starts a run at once, or has the present one go round once more. Never throws. */
  async kick(): Promise<void> {
    this.#again = true
    if (!this.#isPausing) await this.#start()
  }

  /** Retries. Returns the time of the next retry (UNIX seconds); undefined when all is sent. */
  async retry(): Promise<number | undefined> {
    this.#again = true
    await this.#start()
    return this.#isPausing ? this.#pausedUntil : undefined
  }

  /** Whether it pauses after a failure. A pause that would last too long is over: the clock has been set back. */
  get #isPausing(): boolean {
    const left = this.#pausedUntil - this.#parts.now()
    return left > 0 && left <= this.#pause
  }

  /** Stops, since the organization is being deleted: a run under way no longer counts, and none starts. */
  stop(): void {
    this.#isStopped = true
  }

  /** Asks D1 for its cursor even if there is nothing to send, since it may have been restored. Never throws. */
  async look(): Promise<void> {
    this.#mustAsk = true
    await this.kick()
  }

  #start(): Promise<void> {
    // In a turn of its own: a run that finds nothing to send ends without waiting.
    this.#running ??= Promise.resolve().then(() => this.#run())
    return this.#running
  }

  async #run(): Promise<void> {
    try {
      let room = D1_CALLS.statementsOfRun
      const isIdle = () => room === D1_CALLS.statementsOfRun
      while (room > 0 && (this.#again || (this.#hasGathered && isIdle()))) {
        this.#again = false
        this.#hasGathered = false
        const newest = this.#parts.lastId()
        while (room > 0 && !this.#has(newest)) {
          const sent = await this.#sendBatch()
          if (sent === undefined) break
          room -= sent
        }
      }
      if (!isIdle()) this.#rest = new TimeLimit(this.#parts.restMs())
      this.#failures = 0
      this.#failingSince = undefined
      if (room <= 0) this.#parts.retryAt(this.#parts.now())
    } catch (error) {
      if (!this.#isStopped) this.#failed(error)
    } finally {
      // In the turn that last read `#again`, so that no kick falls in between.
      this.#running = undefined
    }
    if (this.#hasGathered) this.gather()
  }

  /** Whether D1 certainly has everything up to this id. */
  #has(id: number): boolean {
    return this.#projected >= id && this.#applied !== undefined && !this.#mustAsk
  }

  /**
   * Refuses a new text while the database has no room for it. The size is asked for again, since there may be room by now.
   * @throws StorageFullError
   */
  requireRoom(): void {
    if (!this.room.isFull) return
    if (this.room.isToBeMeasured(this.#parts.now())) void this.look()
    throw new StorageFullError()
  }

  /** Passes entries without writes to D1, for which nobody calls `kick`. */
  passEvents(): void {
    const { sql, hasMore } = this.#parts
    if (!hasMore(this.#projected)) this.#advance(newestLogId(sql))
  }

  /** Sends a batch and returns the number of its statements; undefined when there is nothing more to send. */
  async #sendBatch(): Promise<number | undefined> {
    if (this.#isStopped) return undefined
    const { sql, own, hasMore } = this.#parts
    if (this.#applied === undefined || this.#mustAsk) {
      if (!this.#mustAsk && !hasMore(this.#projected)) return undefined
      await this.#askCursor()
      this.#mustAsk = false
      return 1
    }
    const budget = { entries: this.#entriesAtOnce, bytes: TEXT_OF_SLICE, writes: ENTRIES_AT_ONCE }
    const logged = readWritesAfter(sql, this.#projected, budget)
    const asking = logged.flatMap((entry) => {
      const writes = own(entry.writes)
      return writes.length > 0 ? { ...entry, writes } : []
    })
    const { taken, groups } = planBatch(asking)
    const last = taken.at(-1)
    if (!last) {
      const passed = logged.at(-1)
      if (!passed) return undefined
      this.#advance(passed.id)
      return 1
    }
    try {
      const sent = await this.#send(this.#applied, last.id, groups)
      this.#entriesAtOnce = Math.min(this.#entriesAtOnce * 2, PAGE_OF_ROWS)
      return sent
    } catch (error) {
      if (isWithoutRoom(error)) await this.#makeRoom(taken.length, error)
      if (!isRefusedForGood(error) && !(error instanceof UnknownStatementError)) throw error
      return this.#refused(taken, error)
    }
  }

  async #send(from: number, to: number, groups: Parameters<typeof applyBatch>[2]['groups']): Promise<number> {
    const { db, realmId, reached } = this.#parts
    // A lost answer does not tell whether the batch was applied.
    this.#hasSent = true
    reached('projecting')
    const cost = await applyBatch(db, realmId, { from, to, groups })
    reached('projected')
    this.#mayGoOn()
    this.#count(cost)
    this.#applied = to
    this.#known = to
    this.#advance(to)
    return cost.statements
  }

  /** Handles a batch for which D1 has no room. The next one is smaller. */
  async #makeRoom(entries: number, error: unknown): Promise<never> {
    this.room.noteRefusal(true)
    this.#entriesAtOnce = Math.ceil(entries / 2)
    const after = Math.max(this.#deletedFirst, this.#projected)
    this.#deletedFirst = await sendDeletionsFirst(this.#parts, this.#applied!, after)
    throw error
  }

  /** Handles a batch with a write that is refused for good. Alone it is set aside, and D1's cursor passes it. */
  async #refused(taken: readonly LoggedWrites[], error: unknown): Promise<number> {
    if (taken.length > 1) {
      this.#entriesAtOnce = Math.floor(taken.length / 2)
      return taken.length
    }
    const [entry] = taken as [LoggedWrites]
    if (!this.#parts.setAside(entry, String(error))) throw error
    log('error', 'D1 permanently refuses an entry of the log, which the object keeps', {
      realm_id: this.#parts.realmId,
      entry: entry.id,
      error,
    })
    return this.#send(this.#applied!, entry.id, [])
  }

  /** Asks D1 for its cursor, and compares it with what the object knows. */
  async #askCursor(): Promise<void> {
    const { sql, db, realmId } = this.#parts
    let { applied: cursor, size } = await readStanding(db, realmId)
    this.#mayGoOn()
    this.room.measured(size)
    if (cursor === undefined) {
      await this.#parts.insertAgain()
      this.#mayGoOn()
      cursor = 0
    }
    const known = this.#known
    const standing = compareCursors(sql, cursor, {
      applied: known,
      newestAtWake: this.#newestAtWake,
      hasSent: this.#hasSent,
    })
    if (standing === 'behind') {
      this.#projected = cursor
      this.#parts.onBehind(cursor, known!)
    } else if (standing === 'ahead') {
      await this.#parts.onAhead(cursor, known)
      await this.#send(cursor, this.#projected, [])
      return
    }
    this.#applied = cursor
    this.#known = cursor
    if (cursor > this.#projected) this.#advance(cursor)
    else this.#parts.onProjected(this.cursor)
  }

  /** Throws once the organization is being deleted. Called after each answer of D1, since the storage may be another's by then. */
  #mayGoOn(): void {
    if (this.#isStopped) throw new Error('The organization is being deleted')
  }

  #advance(entryId: number): void {
    if (entryId < this.#projected) return
    this.#projected = entryId
    this.#parts.onProjected(this.cursor)
  }

  #count({ rowsRead, rowsWritten, size }: BatchCost): void {
    this.counts.read += rowsRead
    this.counts.written += rowsWritten
    this.room.noteRefusal(false)
    this.room.measured(size)
    if (!this.room.isNearlyFull) return
    const { realmId, maxSize } = this.#parts
    log('error', 'D1 is nearly full', { realm_id: realmId, bytes: size, of: maxSize() })
  }

  /** Pauses after a failure. The batch may have been applied: D1 is asked before the next one. */
  #failed(error: unknown): void {
    const now = this.#parts.now()
    const limit = dailyLimitOf(error, now)
    const wait = limit
      ? limit.until - now
      : Math.min(FIRST_RETRY_SECONDS * 2 ** this.#failures, MAX_RETRY_SECONDS)
    if (limit) this.#parts.onLimit(limit.metAt(now))
    log('warn', 'Projection to D1 failed', { realm_id: this.#parts.realmId, next_try_s: wait, error })
    this.#applied = undefined
    this.#failures += 1
    this.#failingSince ??= now
    this.#pause = wait
    this.#pausedUntil = now + wait
    try {
      this.#parts.retryAt(this.#pausedUntil)
    } catch (refusal) {
      // Then the next change begins a run.
      if (!dailyLimitOf(refusal)) throw refusal
    }
  }
}
