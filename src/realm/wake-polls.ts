import { deliveryFacts, deliveryFactsAmong } from '../domain/events/delivery-facts.ts'
import { EVENT_TYPES } from '../events/index.ts'
import { type EventQueue, findQueue } from '../events/queue.ts'
import { type DeliveredEvent, type DeliveryFacts, eventsForQueue } from '../events/read-queue.ts'
import type { Scan, WaitingPoll } from './poll-sockets.ts'
import type { Runtime } from './runtime.ts'

const EVENTS_PER_READ = 1_000

/** One wake-up a turn, however many commits: a poll gets all that is there (behaviour 4.5). */
const scheduled = new WeakSet<Runtime>()

/** Answers the polls whose queue has something now, after the present turn. */
export function wakePolls(runtime: Runtime): void {
  if (scheduled.has(runtime)) return
  scheduled.add(runtime)
  setTimeout(() => {
    scheduled.delete(runtime)
    answerWaitingPolls(runtime)
  }, 0)
}

/** Looks at every waiting poll. A wake is a hint, the cursor is the truth: calling it too often harms nothing. */
export function answerWaitingPolls(runtime: Runtime): void {
  const waiting = runtime.polls.waiting().flatMap((poll) => {
    poll.scan ??= beginScan(runtime, poll)
    // A queue that is gone ends the wait; the next poll is told so.
    if (!poll.scan) runtime.polls.answer(poll, [])
    return poll.scan ? [{ poll, scan: poll.scan }] : []
  })
  const facts = deliveryFactsAmong(
    runtime.sql,
    waiting.map(({ scan }) => scan.queue.userId),
  )
  for (const { poll, scan } of waiting) {
    try {
      answerPoll(runtime, poll, scan, facts)
    } catch (error) {
      // One queue that cannot be read must not keep the others waiting.
      console.error(`Queue ${poll.queueId} cannot be read`, error)
    }
  }
}

function beginScan({ sql }: Runtime, { queueId, cursor }: WaitingPoll): Scan | undefined {
  const queue = findQueue(sql, queueId)
  return queue && { queue, upTo: cursor }
}

function answerPoll(runtime: Runtime, poll: WaitingPoll, scan: Scan, facts: DeliveryFacts): void {
  const { cursor } = poll
  const events = eventsAbove(runtime, scan.queue, { cursor, scanned: scan.upTo }, facts)
  if (events.length === 0) {
    scan.upTo = runtime.ids.last
    return
  }
  runtime.progress.note(runtime.sql, scan.queue, cursor, runtime.now())
  runtime.reached('delivering')
  runtime.polls.answer(poll, events)
  runtime.reached('delivered')
}

/** What a queue holds above the client's cursor, at least the first of it: a long log is read in parts. */
export function pendingEvents(runtime: Runtime, queue: EventQueue, cursor: number): DeliveredEvent[] {
  return eventsAbove(runtime, queue, { cursor, scanned: cursor }, deliveryFacts(runtime.sql))
}

/** @param scanned Up to here there is nothing for the queue above the cursor. */
function eventsAbove(
  runtime: Runtime,
  queue: EventQueue,
  { cursor, scanned }: { readonly cursor: number; readonly scanned: number },
  facts: DeliveryFacts,
): DeliveredEvent[] {
  for (let after = Math.max(scanned, queue.startEvent); ; ) {
    const logged = runtime.buffer.readAfter(runtime.sql, after, runtime.now(), EVENTS_PER_READ)
    const events = eventsForQueue(logged, queue, cursor, facts, EVENT_TYPES)
    if (events.length > 0 || logged.length < EVENTS_PER_READ) return events
    after = logged.at(-1)!.id
  }
}
