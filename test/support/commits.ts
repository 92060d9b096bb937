import type { ApiResponse } from './api.ts'
import { world } from './world.ts'

/** Counts the commits of realm objects; returns a function that waits for a number of them. An object pauses before the next commit of a long change. */
export function commitsFromNow(): (count: number) => Promise<void> {
  let made = 0
  world.stopsAt = (point) => {
    if (point === 'committed') made += 1
    return false
  }
  return async (count) => {
    // A promise that the object resolves would continue in the object, which would stay busy until the test ends.
    while (made < count) await scheduler.wait(1)
    world.stopsAt = () => false
  }
}

/** Makes a request, and stops the object after its first commit. Returns whether there was one. */
export async function leftAfterFirstCommit(ask: () => Promise<ApiResponse>): Promise<boolean> {
  let isStopped = false
  world.stopsAt = (point) => {
    if (point !== 'committed' || isStopped) return false
    isStopped = true
    return true
  }
  const { status } = await ask()
  world.stopsAt = () => false
  if (isStopped && status < 500) throw new Error('The request was answered')
  return isStopped
}
