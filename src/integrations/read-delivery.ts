import { createHash } from 'node:crypto'
import type { ArrivedBody } from '../core/arrived-body.ts'
import { isJsonDeeperThan, tryParseJson } from '../core/json.ts'
import { firstPoints, isLongerThan } from '../core/text-length.ts'
import {
  type Delivery,
  type Integration,
  OPTION_NAMES,
  type Reading,
  type WebhookMessage,
} from './integration.ts'
import { andMore, blocks, cut, linkToWhole, oneLine, subjectOf, wholeHere } from './markdown.ts'
import { Payload } from './payload.ts'
import type { MessageTemplate } from './template-language.ts'
import { fitsWildcard } from './wildcards.ts'

/** The options in the address. */
export interface DeliveryFilters {
  readonly only_events?: readonly string[]
  readonly exclude_events?: readonly string[]
  readonly topic?: string
  readonly stream?: string
}

/** The content of a delivery, as passed to the organization. */
export type ReadDelivery =
  | {
      readonly kind: 'messages'
      /** The sender's id of the delivery; '' without one. */
      readonly id: string
      /** The name of the event; '' if the post has none. */
      readonly event: string
      /** Seconds within which another delivery with this id is a repetition. */
      readonly retriesWithin?: number
      /** [] if the delivery causes no message. */
      readonly messages: readonly Pick<WebhookMessage, 'topic' | 'text'>[]
    }
  | { readonly kind: 'unsupported'; readonly event: string }
  | { readonly kind: 'no event'; readonly header: string }
  | { readonly kind: 'malformed' }
  /** It is signed with none of the bot's secrets. */
  | { readonly kind: 'unsigned' }
  /** The deployment can no longer decrypt the bot's secrets. */
  | { readonly kind: 'secret lost' }
  /** It is too large to read before the realm has accepted the caller. */
  | { readonly kind: 'not read' }
  /** It must be read again, with the bot's template. */
  | { readonly kind: 'template wanted' }

/** Limit of the nesting of JSON. No service has a quarter of it. */
const DEEPEST_JSON = 200
/** Limit of the messages of one delivery. The last one counts the rest. */
const MAX_MESSAGES = 10
/** Limit of a topic, in code points: slightly more than messages may have. */
const SENT_TOPIC = 200
/** Limit of any message, in code points. */
const MAX_TEXT = 10_000
/** Limit of a text without such a link, in code points: the organization then cuts it, and says so. */
const SENT_TEXT = 11_000
/** Limit of an event name from the payload, in code points. */
const EVENT_LENGTH = 100
/** The form field that holds the payload as JSON. */
export const PAYLOAD_FIELD = 'payload'

const NO_TEMPLATE: MessageTemplate = { topic: [], text: [] }

/** Reads a delivery. No body is an error. */
export function readDelivery(
  integration: Integration,
  arrived: ArrivedBody,
  filters: DeliveryFilters,
  template?: MessageTemplate,
): ReadDelivery {
  const { eventHeader } = integration
  const header = (name: string) => arrived.header(name).toWellFormed()
  const event = eventHeader === undefined ? '' : header(eventHeader)
  if (eventHeader !== undefined && event === '') return { kind: 'no event', header: eventHeader }
  const isForm = integration.body === 'form' && (arrived.isForm || arrived.body.length === 0)
  const body = isForm ? new Payload({}) : payloadOf(arrived)
  if (!body) return { kind: 'malformed' }
  if (integration.usesTemplate && !template) return { kind: 'template wanted' }
  const delivery: Delivery = {
    body,
    header,
    event: cut(event, EVENT_LENGTH),
    options: Object.fromEntries(OPTION_NAMES.flatMap((name) => optionOf(arrived, name))),
    hasOwnTopic: filters.topic === undefined && filters.stream !== undefined,
    template: template ?? NO_TEMPLATE,
    field: (name) => new Payload(arrived.fields.get(name)).text(),
    digest: () => digestOf(event, arrived),
  }
  const reading = integration.read(delivery)
  if (typeof reading === 'object' && 'unsupported' in reading) {
    const name = cut(reading.unsupported, EVENT_LENGTH)
    if (isWanted({ event: name }, filters)) return { kind: 'unsupported', event: name }
  }
  const all = messagesOf(reading)
  const messages = all.filter((message) => isWanted(message, filters))
  const said = cut(all[0]?.event ?? event, EVENT_LENGTH)
  const id = integration.deliveryId?.(delivery) ?? ''
  const { retriesWithin } = integration
  const shown = few(messages).map((message) => short(message, integration))
  return { kind: 'messages', id, event: said, ...(retriesWithin ? { retriesWithin } : {}), messages: shown }
}

function digestOf(event: string, { body, fields }: ArrivedBody): string {
  const said = body.length > 0 ? body : JSON.stringify([...fields])
  return createHash('sha256').update(`${event}\n`).update(said).digest('base64url')
}

function optionOf({ fields }: ArrivedBody, name: string): [string, string][] {
  const value = fields.get(name)
  return value === undefined ? [] : [[name, value]]
}

/** Returns the JSON of the body, or of the form field for it; undefined for anything but an object or a list. */
function payloadOf({ body, fields, isForm }: ArrivedBody): Payload | undefined {
  const text = (isForm ? fields.get(PAYLOAD_FIELD) : undefined) ?? new TextDecoder().decode(body)
  if (isJsonDeeperThan(DEEPEST_JSON, text)) return undefined
  const value = tryParseJson(text)
  return typeof value === 'object' && value !== null ? new Payload(value) : undefined
}

function messagesOf(reading: Reading): readonly WebhookMessage[] {
  if (reading === 'ignore' || 'unsupported' in reading) return []
  return 'text' in reading ? [reading] : reading
}

/** Whether the filters in the address accept an event. */
function isWanted(
  { event }: Pick<WebhookMessage, 'event'>,
  { only_events, exclude_events }: DeliveryFilters,
): boolean {
  if (event === null) return true
  const fits = (patterns: readonly string[]) => patterns.some((pattern) => fitsWildcard(pattern, event))
  return (only_events === undefined || fits(only_events)) && !fits(exclude_events ?? [])
}

/** Returns a message for the organization, which cuts it to the limit of messages and says so. */
function short(
  { topic, text, whole = subjectOf(text) }: WebhookMessage,
  { displayName }: Integration,
): Pick<WebhookMessage, 'topic' | 'text'> {
  const linked = linkToWhole(text, whole)
  const end = linkToWhole(wholeHere(), whole)
  const isCut = end !== '' && isLongerThan(linked, MAX_TEXT)
  return {
    topic: oneLine(topic, SENT_TOPIC) || displayName,
    text: isCut ? firstPoints(linked, MAX_TEXT - end.length) + end : firstPoints(linked, SENT_TEXT),
  }
}

function few(messages: readonly WebhookMessage[]): readonly WebhookMessage[] {
  const more = messages.length - MAX_MESSAGES
  if (more <= 0) return messages
  return messages
    .slice(0, MAX_MESSAGES)
    .map((message, at) =>
      at === MAX_MESSAGES - 1
        ? { ...message, text: blocks(message.text, andMore(`and ${more} more`, `[and ${more} more]`)) }
        : message,
    )
}
