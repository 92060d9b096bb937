import type { Environment } from '../http/request/environment.ts'
import type { Email } from '../store/emails/email-rows.ts'

/** Number of mails that are kept. */
const KEPT = 50

const kept: Email[] = []

/** Returns the mail that the Worker itself has sent, since no organization sends it (http/mail/mail-organizations.ts), newest first. */
export function mailOfWorker(): readonly Email[] {
  return kept
}

/** Keeps mail for /dev/emails instead of sending it, where the server has no mail service. Ids of organizations' mail are positive. */
export const KEEPING_MAIL: NonNullable<Environment['SEND_EMAIL']> = {
  async send({ to, subject, text = '', html = null, headers = null }) {
    const now = Math.floor(Date.now() / 1_000)
    const id = (kept[0]?.id ?? 0) - 1
    const times = { createdAt: now, sentAt: now, attempts: 1, firstTriedAt: now }
    kept.unshift({ id, recipient: String(to), subject, body: text, html, headers, ...times })
    kept.splice(KEPT)
  },
}
