import { renewChannelStatistics, STATISTICS_EVERY_SECONDS } from '../domain/channels/channel-statistics.ts'
import { expectDigests } from '../domain/digests/digest-rounds.ts'
import { afterCommit } from './after-commit.ts'
import type { JobHandler } from './job-handler.ts'
import { transactOn } from './transaction.ts'

/** Once a day, for as long as the organization exists. */
export const renewStatistics: JobHandler = (runtime) => {
  const now = runtime.now()
  transactOn({ ...runtime, now, onCommit: (commit) => afterCommit(runtime, commit) })((tx) => {
    renewChannelStatistics(tx)
    // They are expected anyway, unless that was forgotten in a restored object.
    expectDigests(tx)
  })
  return now + STATISTICS_EVERY_SECONDS
}
