import type { BufferedEvent } from '../events/log-buffer.ts'
import type { Commit, CommittedEntry } from './calls/transaction.ts'
import { roundsOf } from './polls/wake-polls.ts'
import type { Runtime } from './runtime.ts'

/** Does what follows a commit, in the same turn. The answer to the caller does not wait for it. */
export function afterCommit(runtime: Runtime, { entries, jobsChanged, endedQueues }: Commit): void {
  if (entries.length > 0) runtime.reached('committed')
  const events = entries.filter(hasEvent)
  const sent = events.filter(({ event }) => event.type === 'message').length
  runtime.usage.count('messages_sent_total', sent)
  runtime.buffer.add(events)
  for (const queueId of endedQueues) {
    runtime.polls.end(queueId)
    runtime.progress.forget(queueId)
  }
  if (events.length > 0 && runtime.polls.count > 0) roundsOf(runtime).wake(runtime)
  const asking = entries.filter(({ writes }) => writes.length > 0)
  if (asking.length > 0) {
    runtime.tail.add(asking)
    runtime.projector.gather(asking)
  }
  // The store may refuse this, while what is in memory has to follow the commit.
  if (jobsChanged || runtime.alarm.isLost) runtime.alarm.follow()
  const stored = entries.findLast((entry) => entry.stored)
  if (!stored) return
  runtime.housekeeping.logGrew(runtime, stored.id)
  runtime.statistics.changed(runtime)
}

function hasEvent(entry: CommittedEntry): entry is CommittedEntry & BufferedEvent {
  return entry.event !== null && entry.audience !== null
}
