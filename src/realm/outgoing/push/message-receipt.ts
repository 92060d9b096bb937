import type { Whereabouts } from '../../../domain/push/plan-pushes.ts'
import { listMessageQueuesOfUser } from '../../../events/queue.ts'
import type { Runtime } from '../../runtime.ts'

/**
 * Returns which users have an event, by their queues: a user who has acknowledged it does; one with a queue
 * that may still ask for it counts as present until that ends. Source: docs/interface/events.md#poll.
 */
export function receiptOf({ sql, progress, now }: Runtime, eventId: number): (userId: number) => Whereabouts {
  return (userId) => {
    const own = listMessageQueuesOfUser(sql, userId)
    if (own.some((queue) => progress.of(queue).acked >= eventId)) return 'has it'
    const endsAt = own.map((queue) => progress.of(queue).seenAt + queue.lifespan).filter((at) => at > now())
    return endsAt.length === 0 ? 'away' : { untilAt: Math.max(...endsAt) + 1 }
  }
}
