import { renewChannelStatistics } from '../../domain/channels/activity/channel-statistics.ts'
import { expectDigests } from '../../domain/digests/digest-rounds.ts'
import { afterCommit } from '../calls/after-commit.ts'
import { transactOn } from '../calls/transaction.ts'
import type { JobHandler } from './job-handler.ts'

/**
 * Renews the statistics of channels once a day while anything happens; an idle organization is left alone.
 */
export const renewStatistics: JobHandler = (runtime) => {
  const now = runtime.now()
  const next = transactOn({ ...runtime, now, onCommit: (commit) => afterCommit(runtime, commit) })((tx) => {
    // Digests are scheduled already, except in a restored object that has lost the job.
    expectDigests(tx)
    return { at: renewChannelStatistics(tx) }
  })
  runtime.statistics.restUntil(next.at, now)
  return next.at
}
