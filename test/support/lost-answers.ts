import { world } from './world.ts'

/** The next call to the realm object is made, and nobody gets its answer. */
export function loseAnswer(): void {
  world.reach = async (call) => {
    world.reach = (next) => next()
    await call()
    throw Object.assign(new Error('Network connection lost.'), { retryable: true })
  }
}
