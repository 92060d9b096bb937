import { world } from './world.ts'

/** Makes the next RPC to the realm object lose its answer: it is executed, but the caller gets an error. */
export function loseAnswer(): void {
  world.reach = async (call) => {
    world.reach = (next) => next()
    await call()
    throw Object.assign(new Error('Network connection lost.'), { retryable: true })
  }
}
