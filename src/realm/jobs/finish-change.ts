import { isContinuation } from '../../core/continuation-names.ts'
import { isRefusal, lacksRoom } from '../../core/errors.ts'
import type { NextTime } from '../../core/job-runtime.ts'
import { log } from '../../core/log.ts'
import { DAY } from '../../core/time.ts'
import { hastenNewJobs } from '../../store/jobs/job-rows.ts'
import { isRealmDeactivated } from '../../store/realm/realm-setting-rows.ts'
import { ChangeUnderWay, type Resumed } from '../calls/change-under-way.ts'
import { resumeChange } from '../calls/run-command.ts'
import { LEFT_TO_THE_REQUEST_SECONDS } from '../calls/transaction.ts'
import type { Runtime } from '../runtime.ts'
import type { JobHandler } from './change-by-job.ts'
import { makeCommits } from './continuations.ts'

/** Makes the rest of a change whose request has ended too early: `key` is its id, or the name and key of a continuation. */
export const finishChange: JobHandler = (runtime, key) => {
  const name = key.split(':', 1)[0]!
  if (isContinuation(name)) return makeCommits(runtime, name, key.slice(name.length + 1))
  const { sql, now, drivenChanges } = runtime
  if (drivenChanges.has(key)) return now() + LEFT_TO_THE_REQUEST_SECONDS
  const begun = ChangeUnderWay.stored(sql, key)
  if (!begun) return undefined
  // It continues if the organization is opened again.
  if (isRealmDeactivated(sql)) return now() + DAY
  return finish(runtime, begun)
}

async function finish(runtime: Runtime, begun: Resumed): Promise<NextTime> {
  try {
    const outcome = await resumeChange(runtime, begun)
    return outcome === 'over' ? undefined : runtime.now()
  } catch (error) {
    if (isRefusal(error)) {
      log('warn', 'The rest of a change was refused', {
        organization: runtime.realm.host,
        operation: begun.asked.operation,
        error,
      })
      return undefined
    }
    if (lacksRoom(error)) return runtime.now() + LEFT_TO_THE_REQUEST_SECONDS
    throw error
  }
}

/** Lets the changes continue at once that the object has left unfinished when it left memory, since no request does. */
export function hastenChanges({ sql, now }: Runtime): void {
  hastenNewJobs(sql, 'finish-change', now())
}
