import addressParser from 'nodemailer/lib/addressparser'
import type { OutgoingEmail } from '../../model/emails/letter.ts'
import { FinalFailure } from '../work-in-lanes.ts'

/** A mail in the form that ways of sending take. */
export interface EmailHandover {
  readonly host: string
  readonly from: string
  readonly email: OutgoingEmail
}

/** Headers that keep programs from answering automatically (RFC 3834; the other one is for Exchange). */
const EVERY_MAIL = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } as const

/** Returns our own headers, except Message-ID. */
export function headersOf({ headers }: OutgoingEmail): Record<string, string> {
  return { ...EVERY_MAIL, ...headers }
}

/** Failure of a mail that can never be delivered, since its server says that the address does not exist. */
export class RefusedAddressFailure extends FinalFailure {}

/** Answers by which the address does not exist, or is closed: the enhanced codes of RFC 3463. */
const REFUSED_ADDRESS = /\b5\.(?:1\.(?:1|2|3|6|10)|2\.1)\b/

export function isRefusedAddress(said: string): boolean {
  return REFUSED_ADDRESS.test(said)
}

/** Returns the deployment's address, with the mail's own sender name or else the one in the setting. */
export function senderOf({ from, email }: EmailHandover) {
  const [parsed] = addressParser(from, { flatten: true })
  if (!parsed?.address) throw new Error('EMAIL_FROM is not understood: it has no address.')
  return { name: email.senderName ?? parsed.name ?? '', address: parsed.address }
}

/** Returns the sender as `"Acme, Inc." <noreply@acme.example.com>`. */
export function writtenSender(handover: EmailHandover): string {
  const { name, address } = senderOf(handover)
  const plain = name.replaceAll(/[\p{Cc}"\\]/gu, ' ').trim()
  return plain === '' ? address : `"${plain}" <${address}>`
}

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
