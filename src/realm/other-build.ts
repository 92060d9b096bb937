import { DEPLOY_RETRY_SECONDS, ServiceUnavailableError } from '../core/errors.ts'
import { log } from '../core/log.ts'
import { OtherSchemaError } from '../store/schema/schema.ts'
import { refusing } from './calls/run-call.ts'

export const OTHER_BUILD_RETRY_SECONDS = 60

/** The answer while another build is needed to read the storage: the object is ahead of a deploy, or behind a rollback. */
export const OF_OTHER_BUILD = refusing(new ServiceUnavailableError(OTHER_BUILD_RETRY_SECONDS))

/** The answer to a Worker of another build, whose calls may look different. */
export const TO_OTHER_BUILD = refusing(new ServiceUnavailableError(DEPLOY_RETRY_SECONDS))

/** Whether another build made the storage, whose tables this one does not know. */
export function isOfOtherBuild(upgrade: () => void): boolean {
  try {
    upgrade()
    return false
  } catch (error) {
    if (!(error instanceof OtherSchemaError)) throw error
    log('error', describeOther(error), { error })
    return true
  }
}

/** Returns what an operator can do about it. */
function describeOther({ isNewer }: OtherSchemaError): string {
  return isNewer
    ? 'The storage was made by a newer Parley: deploy that one again'
    : 'The storage was made by an earlier Parley: deploy that one again, or start over (locally `npm run reset`)'
}
