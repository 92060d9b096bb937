import MailComposer from 'nodemailer/lib/mail-composer'
import { type EmailHandover, headersOf } from './email-handover.ts'
import { writtenSender } from './email-sender-name.ts'

/** Writes a mail in its form on the wire (RFC 5322, MIME), with the plain text first. */
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
    // Nothing that people write can make the library read a file.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return mail.compile().build()
}
