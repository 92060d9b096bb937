import addressParser from 'nodemailer/lib/addressparser'
import type { EmailHandover } from './email-handover.ts'

/** Sender of a mail. */
export interface EmailSender {
  readonly name: string
  readonly address: string
}

/**
 * Returns the address that the deployment has set, with the mail's own sender name, or else the setting's.
 */
export function senderOf({ from, email }: EmailHandover): EmailSender {
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
