import { PROJECT } from './build-runtime.ts'
import { HOUSEKEEPING, keepHouse } from './housekeeping.ts'
import type { JobHandler } from './jobs.ts'

/** Every kind of due work, by name. */
export const JOB_HANDLERS: Readonly<Record<string, JobHandler>> = {
  [HOUSEKEEPING]: (runtime) => keepHouse(runtime),
  // The projector asks for its own next try when it fails again.
  async [PROJECT](runtime) {
    await runtime.projector.kick()
    return undefined
  },
}
