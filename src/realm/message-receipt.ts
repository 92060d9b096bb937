import type { Whereabouts } from '../domain/push/plan-pushes.ts'
import { type EventQueue, listQueues } from '../events/queue.ts'
import type { Runtime } from './runtime.ts'

/**
 * Who has an event, as far as their queues tell: whoever has acknowledged it does; who has a queue that
 * may still ask for it is there until that ends. Source: behaviour 4.5, missed messages.
 */
export function receiptOf(runtime: Runtime, eventId: number): (userId: number) => Whereabouts {
  let queues: Map<number, EventQueue[]> | undefined
  return (userId) => {
    queues ??= Map.groupBy(listQueues(runtime.sql).filter(takesMessages), (queue) => queue.userId)
    const own = queues.get(userId) ?? []
    if (own.some((queue) => runtime.progress.of(queue).acked >= eventId)) return 'has it'
    const endsAt = own
      .map((queue) => runtime.progress.of(queue).seenAt + queue.lifespan)
      .filter((at) => at > runtime.now())
    return endsAt.length === 0 ? 'away' : { untilAt: Math.max(...endsAt) + 1 }
  }
}

function takesMessages({ options: { eventTypes } }: EventQueue): boolean {
  return eventTypes === null || eventTypes.includes('message')
}
