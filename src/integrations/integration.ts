import type { Payload } from './payload.ts'
import type { MessageTemplate } from './template-language.ts'

/** A message that a delivery becomes. */
export interface WebhookMessage {
  /** The complete name of the event, for the filters in the address; null where the service has no kinds of events. */
  readonly event: string | null
  /** Plain text. It counts only where the address names no topic, and is cut to the limit of topics. */
  readonly topic: string
  /** Markdown. */
  readonly text: string
  /** The address at which the service has all of it, where something is cut; by default the first link of the first sentence. */
  readonly whole?: string
}

/** An event that the service sends, and of which no message is made: the owner of the bot is notified. */
export interface UnsupportedEvent {
  readonly unsupported: string
}

/** What a delivery says: messages, nothing that anybody should read, or an event that the integration does not know. */
export type Reading = WebhookMessage | readonly WebhookMessage[] | 'ignore' | UnsupportedEvent

/** A post that is to be signed. */
export interface PostToSign {
  readonly body: Uint8Array
  /** UNIX seconds, whole ones. */
  readonly now: number
}

/** Bytes and headers as they came, for signatures. */
export interface SignedDelivery {
  readonly body: Uint8Array
  /** Returns the HMAC-SHA256 of the body, as hexadecimal digits. */
  hmac(secret: string): string
  /** Returns a header; '' without one. */
  header(name: string): string
  /** The time of arrival, in UNIX seconds. */
  readonly now: number
}

export interface Delivery {
  readonly body: Payload
  /** Returns a header; '' without one. */
  header(name: string): string
  /** The value of `eventHeader`; '' for integrations without one. */
  readonly event: string
  /** Values of the options in the address. */
  readonly options: Readonly<Partial<Record<OptionName, string>>>
  /** Whether the message comes under the integration's own topic, which then need not be repeated in the text. */
  readonly hasOwnTopic: boolean
  /** The template of the bot, for integrations that use one. */
  readonly template: MessageTemplate
  /** Fields of a form, and parameters of the address. */
  field(name: string): string
  /** Returns a digest of the event and the body: an id of the delivery where no other delivery is the same. */
  digest(): string
}

/** A service that posts to `/api/v1/external/{name}`. It is pure: it knows neither the organization nor the clock. */
export interface Integration {
  /** The name in the address. */
  readonly name: string
  readonly displayName: string
  /** All events, as filters in the address name them; null for a service without kinds of events, or with new ones any month. */
  readonly events: readonly string[] | null
  /** The header with the event; a delivery without it is refused. */
  readonly eventHeader?: string
  /** The body: JSON by default, which a form may have in its field `payload`. A `form` has its values in fields, or in the address. */
  readonly body?: 'form'
  readonly options?: readonly OptionName[]
  /** Whether it reads posts with a template of the bot's owner. */
  readonly usesTemplate?: true
  /** Whether the service escapes addresses twice, so that `stream` and `topic` are to be decoded once more. */
  readonly escapesTwice?: true
  /** Bodies of more than 5 MiB, of which parts are left out (core/json.ts). */
  readonly large?: {
    /** Their limit. */
    readonly maxMib: number
    /** Checks the signature as `verify` does, where nobody has the body any more. */
    verify(delivery: Omit<SignedDelivery, 'body'>, secret: string): boolean
  }
  /** Returns the sender's id of the delivery, the same when it is sent again; '' without one. */
  deliveryId?(delivery: Delivery): string
  /** Seconds after which a delivery with the same id is another one: a day, unless the sender repeats deliveries on purpose. */
  readonly retriesWithin?: number
  /** Whether the delivery is signed with the secret (signatures.ts). Absent: the service signs nothing. */
  verify?(delivery: SignedDelivery, secret: string): boolean
  /** Returns the headers with which the service signs a post, for tests. It has this if it has `verify`. */
  sign?(post: PostToSign, secret: string): Readonly<Record<string, string>>
  read(delivery: Delivery): Reading
}

/** Declares an integration: the whole of it is in one file (CONTRIBUTING.md#how-to-add-an-integration). */
export function defineIntegration(integration: Integration): Integration {
  return integration
}

/** How the page asks for an option, in the words of the API. */
export type InputType = 'text' | 'boolean'

export interface Option {
  readonly label: string
  readonly input: InputType
}

/** All options that addresses of integrations may have, by the name of the parameter. */
export const OPTIONS = {
  branches: { label: 'Filter by branches: names or patterns, separated by commas', input: 'text' },
  desc: {
    label: 'Label or annotation that says what an alert is about, instead of alertname',
    input: 'text',
  },
  ignore_private_repositories: { label: 'Exclude notifications from private repositories', input: 'boolean' },
  name: { label: 'Label or annotation that is the topic of an alert, instead of instance', input: 'text' },
  use_merge_request_title: {
    label: 'Include the titles of merge requests in topics (true by default)',
    input: 'boolean',
  },
} as const satisfies Readonly<Record<string, Option>>

export type OptionName = keyof typeof OPTIONS
export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[]

/**
 * Seconds for which the same group of alerts is one that is sent again, since the answer was lost: Alertmanager, which Grafana has inside, tries
 * again after half a second, and then after up to a minute. On purpose it repeats a group after its `repeat_interval`, of hours mostly and a
 * minute at least, and that is to be seen.
 */
export const ALERT_RETRIES = 50
