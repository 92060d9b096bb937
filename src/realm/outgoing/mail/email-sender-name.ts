import addressParser from 'nodemailer/lib/addressparser'
import type { EmailHandover } from './email-handover.ts'

/** The sender of a mail. */
export interface EmailSender {
  readonly name: string
  readonly address: string
}

/** The address that the deployment has set, under the name that the mail says, or else the setting. */
export function senderOf({ from, email }: EmailHandover): EmailSender {
  const [parsed] = addressParser(from, { flatten: true })
  if (!parsed?.address) throw new Error('EMAIL_FROM is not understood: it has no address.')
  return { name: email.senderName ?? parsed.name ?? '', address: parsed.address }
}

/** `"Acme, Inc." <noreply@acme.example.com>` */
export function writtenSender(handover: EmailHandover): string {
  const { name, address } = senderOf(handover)
  const plain = name.replaceAll(/[\p{Cc}"\\]/gu, ' ').trim()
  return plain === '' ? address : `"${plain}" <${address}>`
}
