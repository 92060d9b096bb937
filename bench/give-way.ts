/** Lowers the priority of processes in favour of others. */
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'

/** The priority of programs in the background. */
const LOW_PRIORITY = 10

/** Returns the threads of a process as Linux numbers them; elsewhere the process. */
export function threadsOf(pid: number): number[] {
  return process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid]
}

/** Lowers the priority of threads, and of those that they start. */
export function giveWay(threads: readonly number[]): void {
  for (const thread of threads) setPriority(thread, LOW_PRIORITY)
}
