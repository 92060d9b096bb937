import type { OutgoingEmail } from '../../../model/emails/outgoing-email.ts'

/** A mail in the form for a way of sending. */
export interface EmailHandover {
  /** The organization's host. */
  readonly host: string
  /** The sender that `EMAIL_FROM` names. */
  readonly from: string
  readonly email: OutgoingEmail
}

/** Headers that keep programs from answering automatically (RFC 3834; the other one is for Exchange). */
const EVERY_MAIL = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } as const

/** Returns the headers that we write ourselves, except Message-ID. */
export function headersOf({ headers }: OutgoingEmail): Record<string, string> {
  return { ...EVERY_MAIL, ...headers }
}
