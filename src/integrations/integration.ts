import type { Payload } from './payload.ts'
import type { MessageTemplate } from './template-language.ts'

/** A message made from a delivery. */
export interface WebhookMessage {
  /** The full name of the event, for the filters in the address; null if the service has no kinds of events. */
  readonly event: string | null
  /** Plain text, used only if the address names no topic, and cut to the limit of topics. */
  readonly topic: string
  /** Markdown; as a function if one post may make many messages, of which only those that are sent are written. */
  readonly text: string | (() => string)
  /** Whether it is for the bot's owner alone: a secret of the service. */
  readonly isForOwner?: true
  /** The address of the full content at the service, used where the message is cut; by default the first link of the first sentence. */
  readonly whole?: string
}

/** An event that the service sends, and of which no message is made: the owner of the bot is notified. */
export interface UnsupportedEvent {
  readonly unsupported: string
}

/** Several messages. */
export interface WebhookMessages {
  readonly messages: readonly WebhookMessage[]
  /** What the post says beyond these, such as the items of a long list that are not read: the last message counts it. */
  readonly unread: number
}

/** The result of reading a delivery: messages, nothing worth a message, or an event unknown to the integration. */
export type Reading = WebhookMessage | WebhookMessages | 'ignore' | UnsupportedEvent

export interface PostToSign {
  readonly body: Uint8Array
  /** The address to which it is posted. */
  readonly address: string
  /** Whole UNIX seconds. */
  readonly now: number
}

/** Bytes and headers as received, for signatures. */
export interface SignedDelivery {
  readonly body: Uint8Array
  /** The address to which it was posted, with its parameters. */
  readonly address: string
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
  /** Whether the option `branches` lets this one through. */
  takesBranch(this: void, branch: string): boolean
  /** Whether the message goes to the integration's own topic, which its text then need not repeat. */
  readonly hasOwnTopic: boolean
  /** The bot's template, for integrations that use one. */
  readonly template: MessageTemplate
  /** Returns a digest of the event and the body: usable as an id if no two deliveries are the same. */
  digest(): string
}

/** A service that posts to `/api/v1/external/{name}`. It is pure: it knows neither the organization nor the clock. */
export interface Integration {
  /** The name in the address. */
  readonly name: string
  readonly displayName: string
  /** All events by their filter names; null for a service without kinds of events, or with too many. */
  readonly events: readonly string[] | null
  /** The header with the event; deliveries without it are refused. */
  readonly eventHeader?: string
  /**
   * The type of the body: JSON by default, which a form may have in its field `payload` or `payload_json`. A `form` may have its values in
   * fields, or in the address: then they are the payload.
   */
  readonly body?: 'form'
  readonly options?: readonly OptionName[]
  /** Whether it reads posts with a template by the bot's owner. */
  readonly usesTemplate?: true
  /** Whether the service escapes addresses twice, so that `stream` and `topic` must be decoded again. */
  readonly escapesTwice?: true
  /** The header that the answer has to repeat, with which the service makes sure that it is welcome. */
  readonly handshake?: string
  /** Whether the service first asks for the address with HEAD. */
  readonly answersHead?: true
  /** Bodies of more than 5 MiB, of which parts are left out (core/json.ts). */
  readonly large?: {
    /** Their limit. */
    readonly maxMib: number
    /** Checks the signature like `verify`, for a body that was not kept. */
    verify(delivery: Omit<SignedDelivery, 'body'>, secret: string): boolean
  }
  /** Returns the sender's id of the delivery, the same for a retry; '' without one. */
  deliveryId?(delivery: Delivery): string
  /** Seconds after which a delivery with the same id counts as new: a day, unless the sender repeats deliveries on purpose. */
  readonly retriesWithin?: number
  /** Whether the delivery is signed with the secret (signatures.ts). Absent if the service signs nothing. */
  verify?(delivery: SignedDelivery, secret: string): boolean
  /** Returns the headers with which the service signs a post, for tests. Present if `verify` is. */
  sign?(post: PostToSign, secret: string): Readonly<Record<string, string>>
  read(delivery: Delivery): Reading
}

/** Declares an integration, which is a single file (CONTRIBUTING.md#how-to-add-an-integration). */
export function defineIntegration(integration: Integration): Integration {
  return integration
}

/** The page's question for an option, in the words of the API. */
export type InputType = 'text' | 'boolean'

export interface Option {
  readonly label: string
  readonly input: InputType
  /** Whether it is a list of patterns, separated by commas. */
  readonly arePatterns?: true
}

/** All options of integration addresses, by parameter name. */
export const OPTIONS = {
  branches: {
    label: 'Filter by branches: names or patterns, separated by commas',
    input: 'text',
    arePatterns: true,
  },
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
 * Seconds within which the same group of alerts counts as a retry after a lost answer. Alertmanager, which Grafana includes, retries
 * after half a second, and then up to a minute apart. It repeats a group on purpose after its `repeat_interval`, usually hours and at
 * least a minute, and that must be shown.
 */
export const ALERT_RETRIES = 50
