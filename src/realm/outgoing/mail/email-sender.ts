import type { OutgoingEmail } from '../../../domain/emails/outgoing-email.ts'
import { type ApiEnvironment, sendByApi } from './email-by-api.ts'
import { type BindingEnvironment, sendByBinding } from './email-by-binding.ts'
import { type SmtpEnvironment, sendBySmtp } from './email-by-smtp.ts'
import { describeSmtpServer, readSmtpServer } from './smtp-server.ts'

/** Settings of the environment for mail. */
export interface EmailEnvironment extends ApiEnvironment, SmtpEnvironment, BindingEnvironment {
  /** `Parley <noreply@chat.example.com>` */
  readonly EMAIL_FROM?: string
  /** The domain whose mail Cloudflare's Email Routing delivers to the Worker: `mail.example.com`. */
  readonly EMAIL_DOMAIN?: string
  /** `on`: mail by SMTP comes back to addresses of that domain. The server has to let it be sent so. */
  readonly EMAIL_BOUNCES?: string
}

/** The way by which mail leaves. */
export interface EmailOutlet {
  /** Whether there is a mail service. Without one mail waits. */
  readonly isConfigured: boolean
  /** Local development shows what was sent. */
  readonly keepSent: boolean
  /** The domain to which answers go; undefined where none are taken. */
  readonly domain: string | undefined
  /** The same for mail that cannot be delivered. */
  readonly bounceDomain: string | undefined
  /**
   * Hands one mail over. Rejects when it could not, with a sentence that owners may read.
   *
   * @throws RefusedAddressFailure when the address takes no mail for good
   * @throws FinalFailure when the service will not have it however often it is asked
   */
  send(email: OutgoingEmail): Promise<void>
}

/** The ways out; of those that are set the first is taken. */
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

/** The mail service of the environment; its settings are looked up when they are needed. */
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

/** The domain at which mail is taken; undefined where none is. */
export function emailDomainOf({ EMAIL_DOMAIN }: Pick<EmailEnvironment, 'EMAIL_DOMAIN'>): string | undefined {
  return EMAIL_DOMAIN?.trim().toLowerCase() || undefined
}

export const NO_MAIL_SERVICE =
  'No way out is set for mail: SMTP_URL, EMAIL_API_URL, or the binding SEND_EMAIL.'

/** The way by which mail leaves, in words; undefined when none is set. */
export function describeEmailWay(env: EmailEnvironment): string | undefined {
  return WAYS.find(({ isSet }) => isSet(env))?.describe(env)
}
