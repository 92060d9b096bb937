import type { OutgoingEmail } from '../../../domain/emails/outgoing-email.ts'

/** A mail as a way of sending gets it. */
export interface EmailHandover {
  /** The organization's. */
  readonly host: string
  /** The sender that `EMAIL_FROM` names. */
  readonly from: string
  readonly email: OutgoingEmail
}

/** Programs that answer mail by themselves are not to answer this (RFC 3834; the other one is for Exchange). */
const EVERY_MAIL = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } as const

/** The headers that are ours to write, but Message-ID. */
export function headersOf({ headers }: OutgoingEmail): Record<string, string> {
  return { ...EVERY_MAIL, ...headers }
}
