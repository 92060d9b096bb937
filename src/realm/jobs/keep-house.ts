import { giveSecondChance } from '../../domain/missed-messages/second-chance.ts'
import { userIdOfQueue } from '../../events/queue.ts'
import { wakePoll } from '../polls/wake-polls.ts'
import type { Runtime } from '../runtime.ts'
import { changeBy } from './change-by-job.ts'

/** Runs housekeeping; users whose client has gone are notified by mail of what it did not get. */
export function keepHouse(runtime: Runtime): number | undefined {
  const gone = new Map<number, number>()
  const next = runtime.housekeeping.run(runtime, (queueId, seenAt) => {
    const userId = userIdOfQueue(queueId)
    gone.set(userId, Math.max(gone.get(userId) ?? 0, seenAt))
  })
  for (const [userId, seenAt] of gone) changeBy(runtime, (tx) => giveSecondChance(tx, userId, seenAt))
  for (const poll of runtime.polls.markQuietStreams(runtime.now())) wakePoll(runtime, poll)
  return next
}
