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

/** The length in milliseconds of a tick in which Linux counts processor time. */
const TICK_MS = 10

/** Returns the time that other virtual machines have taken from this one so far (steal time), in ms. 0 on other systems. */
export function stolenMs(): number {
  try {
    const ofAll = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/ +/)
    return Number(ofAll[STOLEN]) * TICK_MS
  } catch {
    return 0
  }
}

/** The column of `/proc/stat`. */
const STOLEN = 8

function nanosecondsOf(folder: string): number {
  return Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0])
}
