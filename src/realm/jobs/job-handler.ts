import type { Runtime } from '../runtime.ts'

/** The time (UNIX seconds) at which the same job is due next; undefined when it is done. */
export type NextTime = number | undefined

/** A kind of due work. A handler is idempotent: after a crash it runs again. */
export type JobHandler = (runtime: Runtime, key: string) => NextTime | Promise<NextTime>
