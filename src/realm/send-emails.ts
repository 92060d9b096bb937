import { deleteEmail, listUnsentEmails, markEmailSent } from '../domain/emails/email-rows.ts'
import type { Runtime } from './runtime.ts'

const EMAILS_PER_RUN = 20
/** How soon to look again where no mail service is configured yet. */
const UNCONFIGURED_SECONDS = 3_600

/**
 * Hands waiting mail over, the oldest first. A mail is taken off only when the service has it: a crash
 * in between sends it twice rather than never. Answers when to go on.
 */
export async function sendEmails(runtime: Runtime): Promise<number | undefined> {
  const { sql, emails } = runtime
  const waiting = listUnsentEmails(sql, EMAILS_PER_RUN)
  if (waiting.length === 0) return undefined
  if (!emails.send) {
    console.warn(`${waiting.length} mails wait: EMAIL_API_URL is not set`)
    return runtime.now() + UNCONFIGURED_SECONDS
  }
  for (const email of waiting) {
    await emails.send(email)
    if (emails.keepSent) markEmailSent(sql, email.id, runtime.now())
    else deleteEmail(sql, email.id)
  }
  return waiting.length === EMAILS_PER_RUN ? runtime.now() : undefined
}
