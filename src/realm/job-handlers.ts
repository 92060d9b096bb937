import { SEND_EMAILS } from '../domain/emails/email-rows.ts'
import { PROJECT } from './build-runtime.ts'
import { HOUSEKEEPING } from './housekeeping.ts'
import type { JobHandler } from './jobs.ts'
import { sendEmails } from './send-emails.ts'

/** Every kind of due work, by name. */
export const JOB_HANDLERS: Readonly<Record<string, JobHandler>> = {
  [HOUSEKEEPING]: (runtime) => runtime.housekeeping.run(runtime),
  [SEND_EMAILS]: sendEmails,
  [PROJECT]: (runtime) => runtime.projector.retry(),
}
