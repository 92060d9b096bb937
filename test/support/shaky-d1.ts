import type { D1Interceptor } from './world.ts'

/** Delays each call; one in twenty fails, and one in twenty batches loses its answer. */
const MAX_WAIT_MS = 20
const FAILING = 0.05
const LOST = 0.05

/** A D1 that is slow and fails at random (`npm run test:shaky`). */
export const shakyD1: D1Interceptor = async (call, kind) => {
  await scheduler.wait(Math.random() * MAX_WAIT_MS)
  if (Math.random() < FAILING) throw new Error('D1 fails at random')
  const answer = await call()
  if (kind === 'batch' && Math.random() < LOST) throw new Error('D1 loses an answer at random')
  return answer
}
