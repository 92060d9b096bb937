import { beginDeletion } from '../../domain/realm/realm-deletion.ts'
import { deletionBegunAt } from '../identity.ts'
import { changeBy } from './change-by-job.ts'
import type { JobHandler } from './job-handler.ts'

/** Begins to delete the organization when its days are over. */
export const startDeletion: JobHandler = (runtime) => {
  const next = changeBy(runtime, beginDeletion)
  if (next !== undefined || deletionBegunAt(runtime.storage.sql) === undefined) return next
  runtime.leave()
  // The alarm goes off again, and then finds no organization here.
  return runtime.now()
}
