import type { WritableSql } from '../../core/sql.ts'
import { type SavedQueue, saveQueueProgress } from '../../events/queue.ts'

/** Seconds by which a queue's saved progress may lag. Polls in between write no row. */
export const SAVE_EVERY_SECONDS = 120

/** The cursor of a client, and the time of its last request. */
interface Progress {
  /** The highest event id that it has acknowledged. */
  readonly acked: number
  /** UNIX seconds. */
  readonly seenAt: number
}

interface KnownProgress extends Progress {
  readonly savedAt: number
}

/** A range of the log, above `after` and up to `upTo`, without events for a queue. */
interface Scanned {
  readonly after: number
  readonly upTo: number
}

/**
 * Progress of all queues: the events that clients have acknowledged, and when they last polled. It is in memory, and saved now and then.
 * An entry has some 250 bytes, and goes with its queue; quotas limit their number.
 */
export class QueueProgress {
  readonly #saved: () => void
  readonly #progress = new Map<string, KnownProgress>()
  readonly #scanned = new Map<string, Scanned>()
  /** Times at which a poll of the queue last returned events, in ms of the clock. */
  readonly #deliveries = new Map<string, number>()

  /** @param saved called when a client has come back after a pause */
  constructor(saved: () => void) {
    this.#saved = saved
  }

  /** Records a poll with this cursor, or its answer. `now` in UNIX seconds. */
  note(sql: WritableSql, queue: SavedQueue, acked: number, now: number): void {
    const { acked: before, savedAt } = this.#known(queue)
    const progress = { acked: Math.max(acked, before), seenAt: now }
    const isSaved = Math.abs(now - savedAt) > SAVE_EVERY_SECONDS
    if (isSaved) saveQueueProgress(sql, queue.id, progress)
    this.#progress.set(queue.id, { ...progress, savedAt: isSaved ? now : savedAt })
    if (isSaved) this.#saved()
  }

  /** Limits the times of all queues to `now` (UNIX seconds) after the clock has been set back. Saved times are limited elsewhere. */
  limitLastSeen(now: number): void {
    for (const [id, { acked, seenAt, savedAt }] of this.#progress) {
      this.#progress.set(id, { acked, seenAt: Math.min(seenAt, now), savedAt: Math.min(savedAt, now) })
    }
  }

  of(queue: SavedQueue): Progress {
    return this.#known(queue)
  }

  #known({ id, ackedEvent, seenAt }: SavedQueue): KnownProgress {
    return this.#progress.get(id) ?? { acked: ackedEvent, seenAt, savedAt: seenAt }
  }

  /** Records that a poll returned events. `now` in ms of the clock. */
  noteDelivery(queueId: string, now: number): void {
    this.#deliveries.set(queueId, now)
  }

  /** Returns when a poll last did; a time long ago if that is not known. */
  deliveredAt(queueId: string): number {
    return this.#deliveries.get(queueId) ?? Number.NEGATIVE_INFINITY
  }

  /** Records that a range of the log had nothing for the queue. */
  noteScan(queueId: string, after: number, upTo: number): void {
    this.#scanned.set(queueId, { after, upTo })
  }

  /** Returns the id from which the log must be read for a client with this cursor: earlier polls may have found nothing in a range. */
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
