/** The warm-up that precedes measurements, of the control and of Parley alike. */
import { processorMs } from './processor-time.ts'

const MAX_STEPS = 6
/** A server is warm when its processor time for a unit of work stays above this fraction of the shortest one twice. */
const STILL_FALLING = 0.97

/**
 * Works until the processor time for a unit of work no longer falls: V8 compiles code in steps, the last after thousands of calls.
 *
 * @param work returns the number of units that it has done.
 */
export async function warmUp(pid: number, work: () => Promise<number>): Promise<void> {
  let best = Number.POSITIVE_INFINITY
  for (let [step, level] = [0, 0]; step < MAX_STEPS && level < 2; step += 1) {
    const before = processorMs(pid)
    const done = await work()
    const spent = (processorMs(pid) - before) / done
    level = spent < STILL_FALLING * best ? 0 : level + 1
    best = Math.min(best, spent)
  }
}
