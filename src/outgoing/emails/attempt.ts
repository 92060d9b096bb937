import type { RealmIdentity } from '../../core/realm-transaction.ts'
import type { OutgoingEmail } from '../../model/emails/letter.ts'
import type { Digest } from '../../store/digests/digest-rows.ts'
import { deleteEmail, type Email, markEmailSent, NOBODY } from '../../store/emails/email-rows.ts'
import type { MissedMail } from '../../store/missed-messages/missed-mail-rows.ts'
import type { EmailRuntime } from './email-sender.ts'
import { handOverEmail } from './hand-over-email.ts'
import { mailDigest } from './mail-digest.ts'
import { mailMissed } from './mail-missed.ts'

export type MailItem = { readonly attempts: number } & (
  | { readonly what: 'email'; readonly email: Email }
  | { readonly what: 'missed'; readonly missed: MissedMail }
  | { readonly what: 'digest'; readonly digest: Digest }
)

/** Sends what is due. Throws if it has to be tried again. */
export function sendMail(runtime: EmailRuntime, item: MailItem): Promise<void> {
  if (item.what === 'email') return sendOne(runtime, item.email)
  return item.what === 'missed' ? mailMissed(runtime, item.missed) : mailDigest(runtime, item.digest)
}

async function sendOne(runtime: EmailRuntime, email: Email): Promise<void> {
  const { emails, sql, now, realm } = runtime
  const isMeant = email.recipient !== NOBODY
  if (isMeant) await handOverEmail(runtime, outgoingOf(realm, email))
  if (emails.keepSent && isMeant) markEmailSent(sql, email.id, now())
  else deleteEmail(sql, email.id)
}

function outgoingOf({ id, host }: RealmIdentity, email: Email): OutgoingEmail {
  return {
    messageId: `<mail-${id}-${email.id}-${email.createdAt}@${host}>`,
    recipient: email.recipient,
    subject: email.subject,
    text: email.body,
    ...(email.html === null ? {} : { html: email.html }),
    ...(email.headers === null ? {} : { headers: email.headers }),
    writtenAt: email.createdAt,
  }
}
