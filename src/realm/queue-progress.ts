import type { Sql } from '../core/sql.ts'
import { type SavedQueue, saveQueueProgress } from '../events/queue.ts'

/** How old a queue's saved progress may get. A poll in between writes no row (DESIGN 3). */
export const SAVE_EVERY_SECONDS = 120

/** How far a client is, and when it last showed itself. */
export interface Progress {
  /** The highest event id it has acknowledged. */
  readonly acked: number
  /** UNIX seconds. */
  readonly seenAt: number
}

/** There is nothing for a queue above `after`, up to `upTo`. */
interface Scanned {
  readonly after: number
  readonly upTo: number
}

/**
 * What clients have acknowledged, and when they were last there: in memory, saved coarsely. An entry is some 200 bytes, and
 * goes with its queue: quotas bound how many there are.
 */
export class QueueProgress {
  readonly #progress = new Map<string, Progress>()
  readonly #scanned = new Map<string, Scanned>()

  /** A poll with this cursor came, or was answered. `now` in UNIX seconds. */
  note(sql: Sql, queue: SavedQueue, acked: number, now: number): void {
    const progress = { acked: Math.max(acked, this.of(queue).acked), seenAt: now }
    this.#progress.set(queue.id, progress)
    if (now - queue.seenAt > SAVE_EVERY_SECONDS) saveQueueProgress(sql, queue.id, progress)
  }

  of(queue: SavedQueue): Progress {
    return this.#progress.get(queue.id) ?? { acked: queue.ackedEvent, seenAt: queue.seenAt }
  }

  /** The log was looked through for the queue, and there was nothing. */
  noteScan(queueId: string, after: number, upTo: number): void {
    this.#scanned.set(queueId, { after, upTo })
  }

  /** From where on the log is to be looked through for a client with this cursor: not what others have been told is empty. */
  scannedFrom(queueId: string, cursor: number): number {
    const scanned = this.#scanned.get(queueId)
    return scanned && cursor >= scanned.after ? Math.max(cursor, scanned.upTo) : cursor
  }

  forget(queueId: string): void {
    this.#progress.delete(queueId)
    this.#scanned.delete(queueId)
  }
}
