import type { Email } from 'postal-mime'
import { isRefusedAddress } from '../../realm/outgoing/mail/email-handover.ts'

/** Lengths of a report that is read, and of the reason in it that is kept, in UTF-16 units. */
const MAX_REPORT_LENGTH = 20_000
const MAX_REASON_LENGTH = 200

/**
 * Returns the reason for which mail came back, if it says that nobody has the address (RFC 3464). Undefined
 * for anything else: delays, full mailboxes, suspected spam, and mail that is no report.
 */
export function bounceReason({ attachments }: Email): string | undefined {
  const report = attachments.find(({ mimeType }) => mimeType === 'message/delivery-status')
  if (!report || typeof report.content === 'string') return undefined
  const text = new TextDecoder().decode(new Uint8Array(report.content).subarray(0, MAX_REPORT_LENGTH))
  const fields = text.split(/\r?\n/)
  const fieldOf = (name: string) =>
    fields
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim()
  const status = fieldOf('status') ?? ''
  if (fieldOf('action')?.toLowerCase() !== 'failed' || !isRefusedAddress(status)) return undefined
  return (fieldOf('diagnostic-code') ?? status).slice(0, MAX_REASON_LENGTH)
}
