import type { Sql } from '../core/sql.ts'
import { type EventQueue, saveQueueProgress } from '../events/queue.ts'

/** How old a queue's saved progress may get. A poll in between writes no row (DESIGN 3). */
export const SAVE_EVERY_SECONDS = 120

/** How far a client is, and when it last showed itself. */
export interface Progress {
  /** The highest event id it has acknowledged. */
  readonly acked: number
  /** UNIX seconds. */
  readonly seenAt: number
}

/** What clients have acknowledged, and when they were last there: in memory, saved coarsely. */
export class QueueProgress {
  readonly #progress = new Map<string, Progress>()

  /** A poll with this cursor came, or was answered. `now` in UNIX seconds. */
  note(sql: Sql, queue: EventQueue, acked: number, now: number): void {
    const progress = { acked: Math.max(acked, this.of(queue).acked), seenAt: now }
    this.#progress.set(queue.id, progress)
    if (now - queue.seenAt > SAVE_EVERY_SECONDS) saveQueueProgress(sql, queue.id, progress)
  }

  of(queue: EventQueue): Progress {
    return this.#progress.get(queue.id) ?? { acked: queue.ackedEvent, seenAt: queue.seenAt }
  }

  forget(queueId: string): void {
    this.#progress.delete(queueId)
  }
}
