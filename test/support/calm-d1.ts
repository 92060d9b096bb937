import { beforeAll, beforeEach } from 'vitest'
import { type D1Interceptor, world } from './world.ts'

const answerAtOnce: D1Interceptor = (call) => call()

/** For files that count what D1 costs, or have troubles of their own for it: `npm run test:shaky` leaves it alone. */
export function calmD1(): void {
  const calmDown = () => {
    world.d1 = answerAtOnce
    world.copy = undefined
  }
  beforeAll(calmDown)
  beforeEach(calmDown)
}

/** Something that is no part of what is tested. */
export async function withCalmD1<R>(act: () => Promise<R>): Promise<R> {
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
