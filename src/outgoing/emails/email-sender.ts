import { withinTime } from '../../core/within-time.ts'
import type { OutgoingEmail } from '../../model/emails/letter.ts'
import { callOut } from '../call-out.ts'
import { LANES } from '../lanes.ts'
import type { OutgoingRuntime } from '../outgoing-work.ts'
import { FinalFailure } from '../work-in-lanes.ts'
import { describeSmtpServer, readSmtpServer, type SmtpEnvironment, sendBySmtp } from './email-by-smtp.ts'
import {
  type EmailHandover,
  headersOf,
  RefusedAddressFailure,
  senderOf,
  writtenSender,
} from './email-handover.ts'

export interface EmailEnvironment extends ApiEnvironment, SmtpEnvironment, BindingEnvironment {
  /** `Parley <noreply@chat.example.com>` */
  readonly EMAIL_FROM?: string
  /** Domain whose mail Cloudflare's Email Routing delivers to the Worker: `mail.example.com`. */
  readonly EMAIL_DOMAIN?: string
  /** `on`: undeliverable mail that was sent by SMTP comes back to addresses of that domain. The server must allow such senders. */
  readonly EMAIL_BOUNCES?: string
}

export interface EmailOutlet {
  /** Whether there is a mail service. Without one, mail stays pending. */
  readonly isConfigured: boolean
  /** Whether sent mail is stored, for local development, which shows it. */
  readonly keepSent: boolean
  /** Domain of reply addresses; undefined where none are accepted. */
  readonly domain: string | undefined
  /** Domain of bounce addresses; undefined where none are accepted. */
  readonly bounceDomain: string | undefined
  /**
   * Sends one mail. Rejects if that fails, with a sentence for owners.
   * @throws RefusedAddressFailure when the address permanently takes no mail
   * @throws FinalFailure when the service will never accept it
   */
  send(email: OutgoingEmail): Promise<void>
}

/** What mail has of the realm object. */
export interface EmailRuntime extends OutgoingRuntime {
  readonly emails: EmailOutlet
}

/** Ways of sending; the first one with settings is used. */
const WAYS = [
  {
    isSet: (env: EmailEnvironment) => Boolean(env.SMTP_URL),
    describe: (env: EmailEnvironment) => describeSmtpServer(readSmtpServer(env.SMTP_URL ?? '')),
    send: sendBySmtp,
  },
  {
    isSet: (env: EmailEnvironment) => Boolean(env.EMAIL_API_URL),
    describe: (env: EmailEnvironment) => `the JSON API at ${URL.parse(env.EMAIL_API_URL ?? '')?.host ?? '?'}`,
    send: sendByApi,
  },
  {
    isSet: (env: EmailEnvironment) => env.SEND_EMAIL !== undefined,
    describe: () => 'Cloudflare’s binding SEND_EMAIL',
    send: sendByBinding,
  },
] as const

/** Returns the mail service of the environment; its settings are read when they are needed. */
export function emailOutletOf(env: EmailEnvironment, host: string): EmailOutlet {
  return {
    get isConfigured() {
      return WAYS.some(({ isSet }) => isSet(env))
    },
    keepSent: false,
    get domain() {
      return emailDomainOf(env)
    },
    get bounceDomain() {
      return env.EMAIL_BOUNCES === 'on' && env.SMTP_URL ? emailDomainOf(env) : undefined
    },
    async send(email) {
      const way = WAYS.find(({ isSet }) => isSet(env))
      if (!way) throw new Error(NO_MAIL_SERVICE)
      await way.send(env, { host, from: env.EMAIL_FROM ?? `noreply@${host}`, email })
    },
  }
}

/** Returns the domain at which mail is accepted; undefined without one. */
export function emailDomainOf({ EMAIL_DOMAIN }: Pick<EmailEnvironment, 'EMAIL_DOMAIN'>): string | undefined {
  return EMAIL_DOMAIN?.trim().toLowerCase() || undefined
}

export const NO_MAIL_SERVICE =
  'No way out is set for mail: SMTP_URL, EMAIL_API_URL, or the binding SEND_EMAIL.'

/** Describes the way of sending in words; undefined if none is set. */
export function describeEmailWay(env: EmailEnvironment): string | undefined {
  return WAYS.find(({ isSet }) => isSet(env))?.describe(env)
}

interface ApiEnvironment {
  /** Address to which mail is posted as JSON {from, to, subject, text, html?, headers}, a form that many APIs of mail services accept. */
  readonly EMAIL_API_URL?: string
  /** Sent as a bearer token. */
  readonly EMAIL_API_KEY?: string
}

/** Bytes of the service's answer that are read: only its status counts. */
const MAX_BYTES = 0
/** Statuses that are not about this mail: the key is wrong, or there are too many requests. */
const LATER_STATUSES: ReadonlySet<number> = new Set([401, 408, 425, 429])

async function sendByApi(env: ApiEnvironment, handover: EmailHandover): Promise<void> {
  const { email } = handover
  const { response } = await callOut({
    url: env.EMAIL_API_URL ?? '',
    named: { by: 'deployment' },
    init: {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        // Services that support it deliver a mail once, even if it is posted twice.
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

interface BindingEnvironment {
  /** Cloudflare's own mail service: `[[send_email]]` in wrangler.toml. */
  readonly SEND_EMAIL?: { send(mail: EmailMessageBuilder): Promise<unknown> }
}

/** Codes of the service for errors of the mail itself. Any other may pass, or is not the mail's fault. */
const FINAL_CODES: ReadonlySet<string> = new Set([
  'E_VALIDATION_ERROR',
  'E_FIELD_MISSING',
  'E_CONTENT_TOO_LARGE',
  'E_RECIPIENT_NOT_ALLOWED',
])
/** The address has bounced before, or its owner has complained. */
const REFUSED_ADDRESS_CODE = 'E_RECIPIENT_SUPPRESSED'

/** Sends a mail by the binding. The service writes its own Message-ID and Date, and accepts no others. */
export async function sendByBinding(env: BindingEnvironment, handover: EmailHandover): Promise<void> {
  const { email } = handover
  const { name, address } = senderOf(handover)
  // The binding takes Reply-To as a field of its own.
  const { 'Reply-To': replyTo, ...headers } = headersOf(email)
  const sending = env.SEND_EMAIL!.send({
    from: name === '' ? address : { name, email: address },
    to: email.recipient,
    subject: email.subject,
    text: email.text,
    ...(email.html === undefined ? {} : { html: email.html }),
    ...(replyTo === undefined ? {} : { replyTo }),
    headers,
  })
  try {
    const ms = LANES.mail.callTimeoutMs
    await withinTime(ms, sending, `no answer within ${ms / 1_000} seconds`)
  } catch (error) {
    throw failureOf(error)
  }
}

function failureOf(error: unknown): Error {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const said = `Cloudflare’s mail service did not take it: ${[code, message].filter(Boolean).join(' ')}`
  if (code === REFUSED_ADDRESS_CODE) return new RefusedAddressFailure(said)
  return FINAL_CODES.has(String(code)) ? new FinalFailure(said) : new Error(said)
}
