/** Control and Parley alike are measured when they are warm. */
import { processorMs } from './processor-time.ts'

const STEPS = 8
/** It is warm when the processor's time for a piece of work falls by less than this, twice. */
const STILL_FALLING = 0.97

/**
 * Works until the processor's time for one piece falls no more: V8 compiles in steps, the last of them after thousands of calls.
 *
 * @param work answers how many pieces it has done.
 */
export async function warmUp(pid: number, work: () => Promise<number>): Promise<void> {
  let best = Number.POSITIVE_INFINITY
  for (let [step, level] = [0, 0]; step < STEPS && level < 2; step += 1) {
    const before = processorMs(pid)
    const done = await work()
    const spent = (processorMs(pid) - before) / done
    level = spent < STILL_FALLING * best ? 0 : level + 1
    best = Math.min(best, spent)
  }
}
