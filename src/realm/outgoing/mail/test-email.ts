import type { OutgoingEmail } from '../../../model/emails/letter.ts'

/** Returns a mail for testing the way of sending. `now` in UNIX seconds. */
export function testEmail(host: string, recipient: string, now: number): OutgoingEmail {
  return {
    messageId: `<test-${crypto.randomUUID()}@${host}>`,
    recipient,
    subject: `Mail from ${host} arrives`,
    text: `This is a test. Mail from ${host} leaves as it should.\n\nIf it is among what is taken for spam, see docs/mail.md on SPF and DKIM.`,
    writtenAt: now,
  }
}
