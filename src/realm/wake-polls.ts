import { deliveryFacts } from '../domain/events/delivery-facts.ts'
import { EVENT_TYPES } from '../events/index.ts'
import { type EventQueue, findQueue } from '../events/queue.ts'
import { type DeliveredEvent, eventsForQueue } from '../events/read-queue.ts'
import type { Runtime } from './runtime.ts'

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
  for (const { socket, queueId, cursor } of runtime.polls.waiting()) {
    const queue = findQueue(runtime.sql, queueId)
    const events = queue ? pendingEvents(runtime, queue, cursor) : []
    if (queue && events.length === 0) continue
    runtime.reached('delivering')
    runtime.polls.answer(socket, queueId, events)
    runtime.reached('delivered')
  }
}

const ENTRIES_PER_READ = 1_000

/** What a queue holds above the client's cursor, at least the first of it: a long log is read in parts. */
export function pendingEvents(runtime: Runtime, queue: EventQueue, cursor: number): DeliveredEvent[] {
  const facts = deliveryFacts(runtime.sql)
  for (let after = Math.max(cursor, queue.startEvent); ; ) {
    const entries = runtime.buffer.readAfter(runtime.sql, after, runtime.now(), ENTRIES_PER_READ)
    const events = eventsForQueue(entries, queue, cursor, facts, EVENT_TYPES)
    if (events.length > 0 || entries.length < ENTRIES_PER_READ) return events
    after = entries.at(-1)!.id
  }
}
