import { log } from '../core/log.ts'
import { OtherSchemaError } from '../store/schema/schema.ts'

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
