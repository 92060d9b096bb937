import type { ServerRefusal } from './ask-bouncer.ts'
import { endRefusal, isRefused, noteRefusal, refusedUntil } from './push-refusal.ts'
import type { PushRuntime } from './push-runtime.ts'

/** Returns the time until which the bouncer is not asked, since it refuses this server (UNIX seconds); undefined if it may be. */
export function pausedUntil(runtime: Pick<PushRuntime, 'sql' | 'now'>): number | undefined {
  return refusedUntil(runtime.sql, runtime.now())
}

/** Stores that the bouncer refuses this server, and notifies the owners. Returns when to ask again (UNIX seconds). */
export function pauseAfter(runtime: PushRuntime, refusal: ServerRefusal): number {
  return runtime.change((tx) => noteRefusal(tx, refusal.message))
}

/** Stores that the bouncer serves this server, if it has refused it before. */
export function endPause(runtime: PushRuntime): void {
  if (isRefused(runtime.sql)) runtime.change(endRefusal)
}
