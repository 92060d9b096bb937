import { expect } from 'vitest'
import type { TestRealm } from './factories.ts'
import { inRealm } from './inside.ts'
import type { TestEvent, TestQueue } from './queues.ts'
import { world } from './world.ts'

/**
 * Opens polls that sleep on sockets of the realm object. They are opened one by one, without other requests to the object meanwhile: this
 * workerd never hibernates an object in which an upgrade has overlapped another request (its issue 6862, fixed in later versions).
 */
export async function holdPolls(queues: readonly TestQueue[]): Promise<Promise<TestEvent[]>[]> {
  // Polls are answered at once, however busy their queues are.
  world.busyQueueMs = 0
  const polls: Promise<TestEvent[]>[] = []
  for (const queue of queues) {
    const before = world.pollsHeld
    let isAnswered = false
    polls.push(
      queue.poll().finally(() => {
        isAnswered = true
      }),
    )
    while (world.pollsHeld === before && !isAnswered) await scheduler.wait(1)
  }
  return polls
}

/** Waits until the realm object holds a poll of this queue. */
export async function untilWaiting(realm: TestRealm, { id }: TestQueue): Promise<void> {
  await expect.poll(() => inRealm(realm, ({ parts }) => parts.polls.isWaiting(id))).toBe(true)
}
