import type { RowCounts, Sql } from '../core/sql.ts'
import { applyBatch, readApplied } from '../d1/projection.ts'
import { type LogEntry, readLogAfter } from '../events/log.ts'

const ENTRIES_PER_BATCH = 500
const BYTES_PER_BATCH = 8_000_000
const FIRST_RETRY_SECONDS = 1
const LONGEST_RETRY_SECONDS = 60

export interface ProjectorParts {
  readonly sql: Sql
  readonly db: D1Database
  readonly realmId: number
  /** A lower bound of what D1 has; D1 itself says where it really stands. */
  readonly projected: number
  /** Called when D1 has everything up to `entryId`. */
  onProjected(entryId: number): void
  /** Asks to be run again in so many seconds, whatever happens to the object meanwhile. */
  retryIn(seconds: number): void
  reached(point: 'projecting' | 'projected'): void
}

/**
 * Sends what the log asks of D1, in order, one batch in flight, each exactly once (DESIGN 3). D1 being
 * slow or down makes the tail longer and nothing else: no send waits for it.
 */
export class Projector {
  readonly #parts: ProjectorParts
  /** Undefined until D1 has said where it stands, and again after every unclear failure. */
  #applied: number | undefined
  #running: Promise<void> | undefined
  #again = false
  #failures = 0
  readonly counts: RowCounts = { read: 0, written: 0 }

  constructor(parts: ProjectorParts) {
    this.#parts = parts
  }

  /** D1 certainly has everything up to this log id. */
  get applied(): number {
    return this.#applied ?? this.#parts.projected
  }

  /** Starts a run, or lets the one under way go round once more. Never throws. */
  kick(): Promise<void> {
    if (this.#running) {
      this.#again = true
      return this.#running
    }
    this.#running = this.#run().finally(() => {
      this.#running = undefined
      if (this.#again) {
        this.#again = false
        void this.kick()
      }
    })
    return this.#running
  }

  async #run(): Promise<void> {
    try {
      while (await this.#sendBatch()) {
        // one batch after the other until the log's end
      }
      this.#failures = 0
    } catch (error) {
      this.#applied = undefined
      this.#again = false
      const wait = Math.min(FIRST_RETRY_SECONDS * 2 ** this.#failures, LONGEST_RETRY_SECONDS)
      this.#failures += 1
      console.warn(`Projection to D1 failed, next try in ${wait} s`, error)
      this.#parts.retryIn(wait)
    }
  }

  /** False when there was nothing to send. */
  async #sendBatch(): Promise<boolean> {
    const { sql, db, realmId } = this.#parts
    if (this.#applied === undefined) {
      this.#applied = await readApplied(db, realmId)
      this.#parts.onProjected(this.#applied)
    }
    const entries = batchAfter(sql, this.#applied)
    const writes = entries.flatMap((entry) => entry.writes)
    if (writes.length === 0) return false
    const to = entries.findLast((entry) => entry.writes.length > 0)!.id
    this.#parts.reached('projecting')
    const rows = await applyBatch(db, realmId, { from: this.#applied, to, writes })
    this.#parts.reached('projected')
    this.counts.read += rows.rowsRead
    this.counts.written += rows.rowsWritten
    this.#applied = to
    this.#parts.onProjected(to)
    return true
  }
}

function batchAfter(sql: Sql, applied: number): LogEntry[] {
  const batch: LogEntry[] = []
  let bytes = 0
  for (const entry of readLogAfter(sql, applied, ENTRIES_PER_BATCH)) {
    bytes += JSON.stringify(entry.writes).length
    if (batch.length > 0 && bytes > BYTES_PER_BATCH) break
    batch.push(entry)
  }
  return batch
}
