import { BUSY_QUEUE_MS } from '../core/budgets.ts'

/** The queues that are remembered; the one whose last poll was given something longest ago goes. */
const REMEMBERED = 5_000

/** The times at which polls were last given something, in ms of the clock, ascending, by the queue's id. */
const given = new Map<string, number>()

/** The answers of polls without events, and with a heartbeat alone (`frameOf`). */
const NOTHING = /^\{"events":\[(?:\]|\{"type":"heartbeat")/

/** A poll of the queue was answered with this frame. */
export function noteAnswer(queueId: string, frame: string): void {
  noteQuiet(queueId)
  if (NOTHING.test(frame)) return
  given.set(queueId, Date.now())
  const [oldest] = given.keys()
  if (given.size > REMEMBERED && oldest !== undefined) given.delete(oldest)
}

/** The object has nothing to hold a poll of the queue for. */
export function noteQuiet(queueId: string): void {
  given.delete(queueId)
}

/**
 * Was a poll of the queue given something just now, as far as this isolate knows? Then its next is most likely held as a call.
 * A hint: the object decides.
 */
export function isKnownBusy(queueId: unknown): boolean {
  const at = typeof queueId === 'string' ? given.get(queueId) : undefined
  return at !== undefined && Date.now() - at < BUSY_QUEUE_MS
}
