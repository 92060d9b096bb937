import { beforeAll, beforeEach } from 'vitest'
import { type D1Interceptor, world } from './world.ts'

const answerAtOnce: D1Interceptor = (call) => call()

/**
 * D1 answers every call of this file's tests at once and from itself, also in `npm run test:shaky`. For files that count
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

/** Does something during which D1 answers at once and from itself: a step that is not what the test is about. */
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
