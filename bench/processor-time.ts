import { readdirSync, readFileSync } from 'node:fs'

/**
 * Returns the processor time of a process so far, in ms, as Linux counts it, without other work of the machine. 0 on other systems.
 */
export function processorMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.reduce((sum, thread) => sum + nanosecondsOf(`/proc/${pid}/task/${thread}`), 0) / 1e6
  } catch {
    return 0
  }
}

function nanosecondsOf(folder: string): number {
  return Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0])
}
