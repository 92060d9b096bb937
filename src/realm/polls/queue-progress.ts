import type { WritableSql } from '../../core/sql.ts'
import { type SavedQueue, saveQueueProgress } from '../../events/queue.ts'

/**
 * The age that a queue's saved progress may reach, in seconds. A poll in between writes no row
 * (docs/decisions/design.md#the-log-is-the-only-stream).
 */
export const SAVE_EVERY_SECONDS = 120

/** The cursor of a client, and the time at which it last showed itself. */
interface Progress {
  /** The highest event id it has acknowledged. */
  readonly acked: number
  /** UNIX seconds. */
  readonly seenAt: number
}

/** The progress of a queue as it is in memory. */
interface KnownProgress extends Progress {
  /** `seenAt` as it was last saved. */
  readonly savedAt: number
}

/** A range of the log, above `after` and up to `upTo`, that has nothing for a queue. */
interface Scanned {
  readonly after: number
  readonly upTo: number
}

/**
 * The progress of all queues: what clients have acknowledged, and when they were last there. It is in memory, and saved
 * coarsely. An entry is some 250 bytes, and goes with its queue: quotas bound how many there are.
 */
export class QueueProgress {
  readonly #progress = new Map<string, KnownProgress>()
  readonly #scanned = new Map<string, Scanned>()
  /** When a poll of the queue was last given something, in ms of the clock. */
  readonly #deliveries = new Map<string, number>()

  /** A poll with this cursor came, or was answered. `now` in UNIX seconds. */
  note(sql: WritableSql, queue: SavedQueue, acked: number, now: number): void {
    const { acked: before, savedAt } = this.#known(queue)
    const progress = { acked: Math.max(acked, before), seenAt: now }
    const isSaved = now - savedAt > SAVE_EVERY_SECONDS
    if (isSaved) saveQueueProgress(sql, queue.id, progress)
    this.#progress.set(queue.id, { ...progress, savedAt: isSaved ? now : savedAt })
  }

  of(queue: SavedQueue): Progress {
    return this.#known(queue)
  }

  #known({ id, ackedEvent, seenAt }: SavedQueue): KnownProgress {
    return this.#progress.get(id) ?? { acked: ackedEvent, seenAt, savedAt: seenAt }
  }

  /** A poll was given something. `now` in ms of the clock. */
  noteDelivery(queueId: string, now: number): void {
    this.#deliveries.set(queueId, now)
  }

  /** When one was last; long ago where nothing is known of it. */
  deliveredAt(queueId: string): number {
    return this.#deliveries.get(queueId) ?? Number.NEGATIVE_INFINITY
  }

  /** The log was looked through for the queue, and there was nothing. */
  noteScan(queueId: string, after: number, upTo: number): void {
    this.#scanned.set(queueId, { after, upTo })
  }

  /**
   * The id from which on the log is to be looked through for a client with this cursor: other clients may have been answered that there is nothing.
   */
  scannedFrom(queueId: string, cursor: number): number {
    const scanned = this.#scanned.get(queueId)
    return scanned && cursor >= scanned.after ? Math.max(cursor, scanned.upTo) : cursor
  }

  forget(queueId: string): void {
    this.#progress.delete(queueId)
    this.#scanned.delete(queueId)
    this.#deliveries.delete(queueId)
  }
}
