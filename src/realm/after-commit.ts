import { armAlarm } from './jobs.ts'
import type { Runtime } from './runtime.ts'
import type { Commit } from './transaction.ts'
import { wakePolls } from './wake-polls.ts'

/** Log entries after which a trim is worth a job. */
export const TRIM_SECONDS = 300

/** What follows a commit. The caller's answer waits for none of it. */
export function afterCommit(runtime: Runtime, commit: Commit): void {
  if (commit.jobsChanged) armAlarm(runtime)
  if (commit.entries.length === 0) return
  runtime.reached('committed')
  runtime.buffer.add(commit.entries)
  runtime.tail.add(commit.entries)
  if (commit.entries.some(({ event }) => event !== null)) wakePolls(runtime)
  if (commit.entries.some(({ writes }) => writes.length > 0)) void runtime.projector.kick()
}
