import { CHANNEL_STATISTICS } from '../domain/channels/channel-statistics.ts'
import { SEND_EMAILS } from '../domain/emails/email-rows.ts'
import { DELIVER_SCHEDULED } from '../domain/scheduled-messages/delivery-job.ts'
import { REMOVE_FILES } from '../domain/uploads/removal-rows.ts'
import { PROJECT } from './build-runtime.ts'
import { deliverScheduled } from './deliver-scheduled.ts'
import { HOUSEKEEPING } from './housekeeping.ts'
import type { JobHandler } from './jobs.ts'
import { removeFiles } from './remove-files.ts'
import { renewStatistics } from './renew-statistics.ts'
import { sendEmails } from './send-emails.ts'

/** Every kind of due work, by name. */
export const JOB_HANDLERS: Readonly<Record<string, JobHandler>> = {
  [CHANNEL_STATISTICS]: renewStatistics,
  [DELIVER_SCHEDULED]: deliverScheduled,
  [HOUSEKEEPING]: (runtime) => runtime.housekeeping.run(runtime),
  [SEND_EMAILS]: sendEmails,
  [REMOVE_FILES]: removeFiles,
  [PROJECT]: (runtime) => runtime.projector.retry(),
}
