import type { Runtime } from '../runtime.ts'

/** Time (UNIX seconds) at which the same job is due next; undefined when it is finished. */
export type NextTime = number | undefined

/** Handles a kind of due work. It must be idempotent: after a crash it runs again. */
export type JobHandler = (runtime: Runtime, key: string) => NextTime | Promise<NextTime>
