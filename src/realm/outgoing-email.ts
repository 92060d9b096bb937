/** One mail, whichever way it leaves. */
export interface OutgoingEmail {
  /** `<…@host>`: the same for each try of the same mail. */
  readonly messageId: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** Shown as the sender's name; the address is the deployment's. */
  readonly senderName?: string
  /** Beside those that every mail has. */
  readonly headers?: Readonly<Record<string, string>>
  /** UNIX seconds. */
  readonly writtenAt: number
}

/** What a way out is given. */
export interface EmailHandover {
  /** The organization's. */
  readonly host: string
  /** As `EMAIL_FROM` says it. */
  readonly from: string
  readonly email: OutgoingEmail
}

/** Programs that answer mail by themselves are not to answer this (RFC 3834; the other one is for Exchange). */
const EVERY_MAIL = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } as const

/** The headers that are ours to write, but Message-ID. */
export function headersOf({ headers }: OutgoingEmail): Record<string, string> {
  return { ...EVERY_MAIL, ...headers }
}
