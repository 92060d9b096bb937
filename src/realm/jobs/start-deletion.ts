import { beginDeletion } from '../../domain/realm/realm-deletion.ts'
import { deletionBegunAt } from '../identity.ts'
import { changeBy } from './change-by-job.ts'
import type { JobHandler } from './job-handler.ts'

/** The organization was to be deleted after so many days, and they are over. */
export const startDeletion: JobHandler = (runtime) => {
  const next = changeBy(runtime, beginDeletion)
  if (next !== undefined || deletionBegunAt(runtime.storage.sql) === undefined) return next
  runtime.leave()
  // The alarm goes off again, and finds no organization that lives here.
  return runtime.now()
}
