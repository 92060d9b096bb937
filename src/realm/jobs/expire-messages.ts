import { PAUSES } from '../../core/budgets.ts'
import { expireMessages } from '../../model/retention/expire-messages.ts'
import { EXPIRY_EVERY_SECONDS, isRetentionLimited } from '../../model/retention/retention-policy.ts'
import { afterCommit } from '../calls/after-commit.ts'
import { transactOn } from '../calls/transaction.ts'
import type { JobHandler } from './job-handler.ts'

/** Number of commits in one run of the job, since other due work waits for it. */
const STEPS_PER_RUN = 20

/**
 * Deletes messages that are too old, once a day while messages are ever deleted; step by step, with other
 * jobs in between.
 */
export const expireOldMessages: JobHandler = async (runtime) => {
  for (let step = 0; step < STEPS_PER_RUN; step += 1) {
    const { isComplete } = transactOn({
      ...runtime,
      now: runtime.now(),
      onCommit: (commit) => afterCommit(runtime, commit),
    })(expireMessages)
    if (isComplete) {
      return isRetentionLimited(runtime.sql) ? runtime.now() + EXPIRY_EVERY_SECONDS : undefined
    }
    await scheduler.wait(PAUSES.commit)
  }
  return runtime.now()
}
