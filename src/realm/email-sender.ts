import type { Email } from '../domain/emails/email-rows.ts'
import { callOut } from './call-out.ts'
import { FinalFailure } from './final-failure.ts'
import { LANES } from './lanes.ts'

/** Settings of the environment for mail. */
export interface EmailEnvironment {
  /** Where mail is posted as JSON {from, to, subject, text}, as the mail services' APIs take it. */
  readonly EMAIL_API_URL?: string
  /** Sent as a bearer token. */
  readonly EMAIL_API_KEY?: string
  /** `Parley <noreply@chat.example.com>` */
  readonly EMAIL_FROM?: string
}

/** How mail leaves. */
export interface EmailOutlet {
  /** Without a mail service mail waits. */
  readonly isConfigured: boolean
  /** Local development shows what was sent. */
  readonly keepSent: boolean
  /**
   * Hands one mail over. Rejects when it could not.
   *
   * @throws FinalFailure when the service will not have it however often it is asked
   */
  send(email: Email): Promise<void>
}

/** What the service says beside the status is not read. */
const MOST_BYTES = 0
/** Refusals that are not of this mail: the key is wrong, or it is too much at once. */
const LATER_STATUSES: ReadonlySet<number> = new Set([401, 408, 425, 429])

/** The mail service of the environment; its settings are looked up when they are needed. */
export function emailOutletOf(env: EmailEnvironment, host: string): EmailOutlet {
  return {
    get isConfigured() {
      return Boolean(env.EMAIL_API_URL)
    },
    keepSent: false,
    send: (email) => send(env, host, email),
  }
}

async function send(
  { EMAIL_API_URL, EMAIL_API_KEY, EMAIL_FROM }: EmailEnvironment,
  host: string,
  { recipient, subject, body }: Email,
): Promise<void> {
  const { response } = await callOut({
    url: EMAIL_API_URL ?? '',
    named: { by: 'deployment' },
    init: {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(EMAIL_API_KEY ? { Authorization: `Bearer ${EMAIL_API_KEY}` } : {}),
      },
      body: JSON.stringify({ from: EMAIL_FROM ?? `noreply@${host}`, to: [recipient], subject, text: body }),
    },
    timeoutMs: LANES.mail.callTimeoutMs,
    mostBytes: MOST_BYTES,
    wants: () => false,
  })
  if (response.ok) return
  const said = `The mail service answered ${response.status}`
  const isFinal = response.status >= 400 && response.status < 500 && !LATER_STATUSES.has(response.status)
  throw isFinal ? new FinalFailure(said) : new Error(said)
}
