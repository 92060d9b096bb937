import type { D1Interceptor } from './world.ts'

/** Each call waits a while; one in twenty fails, and of batches one in twenty loses its answer. */
const LONGEST_WAIT_MS = 20
const FAILING = 0.05
const LOST = 0.05

/** D1 on a bad day (`npm run test:shaky`): slow, and failing at random. */
export const shakyD1: D1Interceptor = async (call, kind) => {
  await scheduler.wait(Math.random() * LONGEST_WAIT_MS)
  if (Math.random() < FAILING) throw new Error('D1 fails at random')
  const answer = await call()
  if (kind === 'batch' && Math.random() < LOST) throw new Error('D1 loses an answer at random')
  return answer
}
