import MailComposer from 'nodemailer/lib/mail-composer'
import type Mail from 'nodemailer/lib/mailer'
import { fromJson } from './json.ts'
import { visit } from './pages.ts'

export const MAIL_DOMAIN = 'mail.example.test'

/** A mail in the form that programs write. */
export async function writeMail(options: Mail.Options): Promise<string> {
  const written = await new MailComposer({ from: 'Stranger <stranger@far.example>', ...options })
    .compile()
    .build()
  return written.toString('latin1')
}

/** Delivers a mail to the Worker, as the platform would. Returns the reason for which it was refused, or null. */
export async function deliverMail(
  host: string,
  to: string,
  raw: string,
  from = 'stranger@far.example',
): Promise<string | null> {
  const query = new URLSearchParams({ from, to })
  const answer = await visit(`http://${host}/dev/mail?${query}`, {
    method: 'POST',
    body: Uint8Array.from(raw, (character) => character.charCodeAt(0)),
  })
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return fromJson<{ rejected: string | null }>(answer.text).rejected
}
