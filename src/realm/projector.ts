import type { RowCounts, Sql } from '../core/sql.ts'
import { applyBatch, readApplied } from '../d1/projection.ts'
import { type LoggedWrites, newestLogId, readWritesAfter } from '../events/log.ts'

const ENTRIES_PER_BATCH = 500
/** In UTF-16 units: of the writes as JSON. */
const LENGTH_PER_BATCH = 4_000_000
const FIRST_RETRY_SECONDS = 1
const LONGEST_RETRY_SECONDS = 60

export interface ProjectorParts {
  readonly sql: Sql
  readonly db: D1Database
  readonly realmId: number
  /** D1 certainly has everything up to this log id; it may have more. */
  readonly projected: number
  /** UNIX seconds. */
  now(): number
  /** Called when D1 has everything up to `entryId`. */
  onProjected(entryId: number): void
  /** Asks for `retry` at a time (UNIX seconds), whatever happens to the object meanwhile. */
  retryAt(time: number): void
  reached(point: 'projecting' | 'projected'): void
}

/**
 * Sends what the log asks of D1, in order, one batch in flight, each exactly once (DESIGN 3). D1 being
 * slow or down makes the tail longer and nothing else: no send waits for it.
 */
export class Projector {
  readonly #parts: ProjectorParts
  /** All writes up to this log id are in D1. */
  #projected: number
  /** Where D1's own cursor stands; undefined until it has said so, and after every unclear failure. */
  #applied: number | undefined
  #running: Promise<void> | undefined
  #again = false
  #failures = 0
  /** After a failure nothing is sent before this time (UNIX seconds). */
  #pausedUntil = 0
  readonly counts: RowCounts = { read: 0, written: 0 }

  constructor(parts: ProjectorParts) {
    this.#parts = parts
    this.#projected = parts.projected
  }

  /** D1 certainly has everything up to this log id. */
  get projected(): number {
    return this.#projected
  }

  /** The log has grown: starts a run, or lets the one under way go round once more. Never throws. */
  async kick(): Promise<void> {
    this.#again = true
    if (this.#parts.now() >= this.#pausedUntil) await this.#start()
  }

  /** The time to try again has come. Answers the next such time (UNIX seconds); undefined when all is sent. */
  async retry(): Promise<number | undefined> {
    this.#again = true
    await this.#start()
    return this.#failures > 0 ? this.#pausedUntil : undefined
  }

  #start(): Promise<void> {
    this.#running ??= this.#run()
    return this.#running
  }

  async #run(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false
        while (await this.#sendBatch()) {
          // one batch after the other until the log's end
        }
      }
      this.#failures = 0
    } catch (error) {
      this.#pause(error)
    } finally {
      // In the turn in which `#again` was last looked at, so that no kick falls between.
      this.#running = undefined
    }
  }

  /** Moves on over entries that ask nothing of D1: nobody kicks for those. */
  passEvents(): void {
    const { sql } = this.#parts
    if (readWritesAfter(sql, this.#projected, 1).length === 0) this.#advance(newestLogId(sql))
  }

  /** True when there may be more to send. */
  async #sendBatch(): Promise<boolean> {
    const { sql, db, realmId, reached } = this.#parts
    const entries = batchAfter(sql, this.#projected)
    const last = entries.at(-1)
    if (!last) return false
    if (this.#applied === undefined) {
      this.#applied = await readApplied(db, realmId)
      this.#advance(this.#applied)
      return true
    }
    reached('projecting')
    const writes = entries.flatMap((entry) => entry.writes)
    const rows = await applyBatch(db, realmId, { from: this.#applied, to: last.id, writes })
    reached('projected')
    this.counts.read += rows.rowsRead
    this.counts.written += rows.rowsWritten
    this.#applied = last.id
    this.#advance(last.id)
    return true
  }

  #advance(entryId: number): void {
    if (entryId <= this.#projected) return
    this.#projected = entryId
    this.#parts.onProjected(entryId)
  }

  /** Whether the batch was applied is not known: D1 is asked before the next one. */
  #pause(error: unknown): void {
    const wait = Math.min(FIRST_RETRY_SECONDS * 2 ** this.#failures, LONGEST_RETRY_SECONDS)
    console.warn(`Projection to D1 failed, next try in ${wait} s`, error)
    this.#applied = undefined
    this.#failures += 1
    this.#pausedUntil = this.#parts.now() + wait
    this.#parts.retryAt(this.#pausedUntil)
  }
}

/** What goes to D1 in one call: at least one entry, if there are any. */
function batchAfter(sql: Sql, projected: number): LoggedWrites[] {
  const batch: LoggedWrites[] = []
  let length = 0
  for (const entry of readWritesAfter(sql, projected, ENTRIES_PER_BATCH)) {
    length += JSON.stringify(entry.writes).length
    if (batch.length > 0 && length > LENGTH_PER_BATCH) break
    batch.push(entry)
  }
  return batch
}
