import { callOut } from '../call-out.ts'
import { FinalFailure } from '../final-failure.ts'
import { LANES } from '../lanes.ts'
import { type EmailHandover, headersOf } from './email-handover.ts'
import { writtenSender } from './email-sender-name.ts'

export interface ApiEnvironment {
  /**
   * Address to which mail is posted as JSON {from, to, subject, text, html?, headers}, as the APIs of mail
   * services expect.
   */
  readonly EMAIL_API_URL?: string
  /** Sent as a bearer token. */
  readonly EMAIL_API_KEY?: string
}

/** Bytes of the service's answer that are read: only its status counts. */
const MAX_BYTES = 0
/** Statuses that do not concern this mail: the key is wrong, or there are too many requests. */
const LATER_STATUSES: ReadonlySet<number> = new Set([401, 408, 425, 429])

export async function sendByApi(env: ApiEnvironment, handover: EmailHandover): Promise<void> {
  const { email } = handover
  const { response } = await callOut({
    url: env.EMAIL_API_URL ?? '',
    named: { by: 'deployment' },
    init: {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        // Services that know it deliver a mail once, even if it was posted twice.
        'Idempotency-Key': email.messageId.replaceAll(/[<>]/g, ''),
        ...(env.EMAIL_API_KEY ? { Authorization: `Bearer ${env.EMAIL_API_KEY}` } : {}),
      },
      body: JSON.stringify({
        from: writtenSender(handover),
        to: [email.recipient],
        subject: email.subject,
        text: email.text,
        ...(email.html === undefined ? {} : { html: email.html }),
        headers: { ...headersOf(email), 'Message-ID': email.messageId },
      }),
    },
    timeoutMs: LANES.mail.callTimeoutMs,
    maxBytes: MAX_BYTES,
    needsBody: () => false,
  })
  if (response.ok) return
  const said = `The mail service answered ${response.status}`
  const isFinal = response.status >= 400 && response.status < 500 && !LATER_STATUSES.has(response.status)
  throw isFinal ? new FinalFailure(said) : new Error(said)
}
