import { beforeAll, beforeEach } from 'vitest'
import { type D1Interceptor, world } from './world.ts'

const answerAtOnce: D1Interceptor = (call) => call()

/**
 * Makes D1 answer every call of this file's tests at once and without copies, also in `npm run test:shaky`. For files that count
 * calls of D1, or make it fail themselves.
 */
export function useReliableD1(): void {
  const makeReliable = () => {
    world.d1 = answerAtOnce
    world.copy = undefined
  }
  beforeAll(makeReliable)
  beforeEach(makeReliable)
}

/** Runs a step during which D1 answers at once and without copies, because the test is not about that step. */
export async function withReliableD1<R>(act: () => Promise<R>): Promise<R> {
  const { d1, copy } = world
  world.d1 = answerAtOnce
  world.copy = undefined
  try {
    return await act()
  } finally {
    world.d1 = d1
    world.copy = copy
  }
}
