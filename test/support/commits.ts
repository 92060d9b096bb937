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
