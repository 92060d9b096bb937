import MailComposer from 'nodemailer/lib/mail-composer'
import { type EmailHandover, headersOf } from './email-handover.ts'
import { writtenSender } from './email-sender-name.ts'

/** A mail as it goes over the wire (RFC 5322, MIME), with what it says in text first. */
export async function writeMime(handover: EmailHandover): Promise<Uint8Array> {
  const { email } = handover
  const mail = new MailComposer({
    from: writtenSender(handover),
    to: { name: '', address: email.recipient },
    subject: email.subject,
    text: email.text,
    html: email.html,
    messageId: email.messageId,
    date: new Date(email.writtenAt * 1_000),
    headers: headersOf(email),
    // Nothing that people write names a file or a path to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return mail.compile().build()
}
