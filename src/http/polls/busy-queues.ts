import { HELD_CALLS } from '../../core/budgets.ts'
import { TimeLimit } from '../../core/time-limit.ts'

/** Number of queues that are remembered; the one whose last poll with events was longest ago goes first. */
const REMEMBERED = 5_000

/** For how long queues count as busy, by the queue's id: since their polls last returned events, the longest ago first. */
const given = new Map<string, TimeLimit>()

/** Matches answers of polls without events, or with only a heartbeat (`frameOf`). */
const NOTHING = /^\{"events":\[(?:\]|\{"type":"heartbeat")/

/** Records that a poll of the queue was answered with this frame. */
export function noteAnswer(queueId: string, frame: string): void {
  noteQuiet(queueId)
  if (NOTHING.test(frame)) return
  given.set(queueId, new TimeLimit(HELD_CALLS.busyMs))
  const [oldest] = given.keys()
  if (given.size > REMEMBERED && oldest !== undefined) given.delete(oldest)
}

/** Records that the object will not hold a call for the queue. */
export function noteQuiet(queueId: string): void {
  given.delete(queueId)
}

/**
 * Whether a poll of the queue has just returned events, as far as this isolate knows. Then the next is most
 * likely held as a call. A hint: the object decides.
 */
export function isKnownBusy(queueId: unknown): boolean {
  const time = typeof queueId === 'string' ? given.get(queueId) : undefined
  return time !== undefined && !time.isOver
}
