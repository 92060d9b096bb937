import type { Sql } from '../core/sql.ts'
import { type EventQueue, saveQueueProgress } from '../events/queue.ts'

/** How old a queue's saved progress may get. A poll in between writes no row (DESIGN 3). */
export const SAVE_EVERY_SECONDS = 120

/** What clients have acknowledged, and when they last asked: in memory, saved coarsely. */
export class QueueProgress {
  readonly #progress = new Map<string, { acked: number; seenAt: number }>()

  /** A poll came with this cursor. */
  note(sql: Sql, queue: EventQueue, acked: number, now: number): void {
    const known = this.#progress.get(queue.id)
    const progress = { acked: Math.max(acked, known?.acked ?? queue.ackedEvent), seenAt: now }
    this.#progress.set(queue.id, progress)
    if (now - queue.seenAt > SAVE_EVERY_SECONDS) saveQueueProgress(sql, queue.id, progress)
  }

  of(queue: EventQueue): { acked: number; seenAt: number } {
    return this.#progress.get(queue.id) ?? { acked: queue.ackedEvent, seenAt: queue.seenAt }
  }

  forget(queueId: string): void {
    this.#progress.delete(queueId)
  }
}
