import type { ApiResponse } from './api.ts'
import { world } from './world.ts'

/** Resolves when a realm object has made so many commits from now on; it rests before the next one of a long change. */
export function afterCommits(count: number): Promise<void> {
  return new Promise((resolve) => {
    let made = 0
    world.stopsAt = (point) => {
      if (point === 'committed') made += 1
      if (made < count) return false
      world.stopsAt = () => false
      resolve()
      return false
    }
  })
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
