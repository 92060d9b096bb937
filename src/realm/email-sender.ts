import type { Email } from '../domain/emails/email-rows.ts'

/** Hands one mail over. Rejects when it could not: it is tried again. */
export type EmailSender = (email: Email) => Promise<void>

/** Settings of the environment for mail. */
export interface EmailEnvironment {
  /** Where mail is posted as JSON {from, to, subject, text}, as the mail services' APIs take it. */
  readonly EMAIL_API_URL?: string
  /** Sent as a bearer token. */
  readonly EMAIL_API_KEY?: string
  /** `Parley <noreply@chat.example.com>` */
  readonly EMAIL_FROM?: string
}

/** Undefined when no mail service is configured: mail then waits. */
export function emailSenderOf(env: EmailEnvironment, host: string): EmailSender | undefined {
  const url = env.EMAIL_API_URL
  if (!url) return undefined
  return async ({ recipient, subject, body }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(env.EMAIL_API_KEY ? { Authorization: `Bearer ${env.EMAIL_API_KEY}` } : {}),
      },
      body: JSON.stringify({
        from: env.EMAIL_FROM ?? `noreply@${host}`,
        to: [recipient],
        subject,
        text: body,
      }),
    })
    if (!response.ok) throw new Error(`The mail service answered ${response.status}`)
  }
}
