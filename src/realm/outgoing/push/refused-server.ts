import { endRefusal, isRefused, noteRefusal, refusedUntil } from '../../../model/push/push-refusal.ts'
import { changeBy } from '../../jobs/change-by-job.ts'
import type { Runtime } from '../../runtime.ts'
import type { ServerRefusal } from './ask-bouncer.ts'

/** Returns the time until which the bouncer is not asked, since it refuses this server (UNIX seconds); undefined if it may be. */
export function pausedUntil(runtime: Pick<Runtime, 'sql' | 'now'>): number | undefined {
  return refusedUntil(runtime.sql, runtime.now())
}

/** Stores that the bouncer refuses this server, and notifies the owners. Returns when to ask again (UNIX seconds). */
export function pauseAfter(runtime: Runtime, refusal: ServerRefusal): number {
  return changeBy(runtime, (tx) => noteRefusal(tx, refusal.message))
}

/** Stores that the bouncer serves this server, if it has refused it before. */
export function endPause(runtime: Runtime): void {
  if (isRefused(runtime.sql)) changeBy(runtime, endRefusal)
}
