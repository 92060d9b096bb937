import { deliveryFacts } from '../domain/events/delivery-facts.ts'
import { EVENT_TYPES } from '../events/index.ts'
import { type EventQueue, findQueue } from '../events/queue.ts'
import { type DeliveredEvent, eventsForQueue } from '../events/read-queue.ts'
import type { WaitingPoll } from './poll-sockets.ts'
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
  for (const poll of runtime.polls.waiting()) {
    try {
      answerPoll(runtime, poll)
    } catch (error) {
      // One queue that cannot be read must not keep the others waiting.
      console.error(`Queue ${poll.queueId} cannot be read`, error)
    }
  }
}

/** A queue that is gone ends the wait; the next poll is told so. */
function answerPoll(runtime: Runtime, poll: WaitingPoll): void {
  const queue = findQueue(runtime.sql, poll.queueId)
  const events = queue ? pendingEvents(runtime, queue, poll.cursor) : []
  if (queue && events.length === 0) return
  if (queue) runtime.progress.note(runtime.sql, queue, poll.cursor, runtime.now())
  runtime.reached('delivering')
  runtime.polls.answer(poll, events)
  runtime.reached('delivered')
}

/** What a queue holds above the client's cursor, at least the first of it: a long log is read in parts. */
export function pendingEvents(runtime: Runtime, queue: EventQueue, cursor: number): DeliveredEvent[] {
  const facts = deliveryFacts(runtime.sql)
  for (let after = Math.max(cursor, queue.startEvent); ; ) {
    const logged = runtime.buffer.readAfter(runtime.sql, after, runtime.now(), EVENTS_PER_READ)
    const events = eventsForQueue(logged, queue, cursor, facts, EVENT_TYPES)
    if (events.length > 0 || logged.length < EVENTS_PER_READ) return events
    after = logged.at(-1)!.id
  }
}
