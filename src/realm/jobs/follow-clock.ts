import { hastenWebhookCalls } from '../../domain/bots/webhook-call-rows.ts'
import { hastenDigests } from '../../domain/digests/digest-rows.ts'
import { hastenEmails } from '../../domain/emails/email-rows.ts'
import { hastenMissedMail } from '../../domain/missed-messages/missed-mail-rows.ts'
import { endLaterPresences } from '../../domain/presence/record-presence.ts'
import { hastenPendingPushes } from '../../domain/push/pending-push-rows.ts'
import { hastenPendingTokens } from '../../domain/push/push-token-rows.ts'
import { hastenStalePushes } from '../../domain/push/shown-push-rows.ts'
import { hastenPreviewRequests } from '../../domain/website-previews/preview-request-rows.ts'
import type { Runtime } from '../runtime.ts'
import { changeBy } from './change-by-job.ts'
import { hastenJobs } from './job-rows.ts'

/** Everything that is due some time after it was entered, begun or has failed. */
const DUE_AFTER_A_PAUSE = [
  hastenJobs,
  hastenEmails,
  hastenMissedMail,
  hastenDigests,
  hastenWebhookCalls,
  hastenPreviewRequests,
  hastenPendingPushes,
  hastenPendingTokens,
  hastenStalePushes,
]

/**
 * Follows a clock that has been set back. What is due after a pause, or when a lease ends, would be due by the old clock: it is hastened by
 * as much as was set back, so that nothing waits longer than it should. Times that people have chosen stay. Nobody was last seen later than
 * now.
 */
export function followClock(runtime: Runtime): void {
  const seconds = runtime.clock.setBackBy()
  if (seconds === undefined) return
  changeBy(runtime, (tx) => {
    for (const hasten of DUE_AFTER_A_PAUSE) hasten(tx.sql, seconds)
    runtime.progress.limitLastSeen(tx.sql, tx.now)
    endLaterPresences(tx)
    runtime.clock.follow(tx.sql)
  })
  runtime.alarm.follow()
}
