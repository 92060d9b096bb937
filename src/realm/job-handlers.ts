import { PROJECT } from './build-runtime.ts'
import { HOUSEKEEPING } from './housekeeping.ts'
import type { JobHandler } from './jobs.ts'

/** Every kind of due work, by name. */
export const JOB_HANDLERS: Readonly<Record<string, JobHandler>> = {
  [HOUSEKEEPING]: (runtime) => runtime.housekeeping.run(runtime),
  [PROJECT]: (runtime) => runtime.projector.retry(),
}
