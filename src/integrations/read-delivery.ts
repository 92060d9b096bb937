import { createHash } from 'node:crypto'
import type { ArrivedBody } from '../core/arrived-body.ts'
import { excessOfJson, MANY_VALUES, tryParseJson, tryParseShortened } from '../core/json.ts'
import { firstPoints, isLongerThan } from '../core/text-length.ts'
import { Allowance } from './allowance.ts'
import {
  type Delivery,
  type Integration,
  OPTION_NAMES,
  type Reading,
  type WebhookMessage,
  type WebhookMessages,
} from './integration.ts'
import { andMore, blocks, cut, linkToWhole, oneLine, subjectOf, wholeHere } from './markdown.ts'
import { Payload } from './payload.ts'
import type { MessageTemplate } from './template-language.ts'
import { fitsOneOf, type NameFilter, patternsIn } from './wildcards.ts'

/** The options in the address. */
export interface DeliveryFilters {
  readonly only_events?: readonly string[]
  readonly exclude_events?: readonly string[]
  readonly topic?: string
  readonly stream?: string
}

/** A message for the organization: plain text, and Markdown. */
interface SentMessage {
  readonly topic: string
  readonly text: string
  /** Whether it is for the bot's owner, wherever the address sends the others. */
  readonly isForOwner?: true
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
      readonly messages: readonly SentMessage[]
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
/** The form field that holds the payload as JSON, and that of Discord. */
export const PAYLOAD_FIELD = 'payload'
const PAYLOAD_FIELDS = [PAYLOAD_FIELD, 'payload_json']

const NO_TEMPLATE: MessageTemplate = { topic: [], text: [] }

/** Reads a delivery. No body is an error, and none takes more work than its allowance, besides parsing it. */
export function readDelivery(
  integration: Integration,
  arrived: ArrivedBody,
  filters: DeliveryFilters,
  template?: MessageTemplate,
): ReadDelivery {
  const allowance = new Allowance()
  const { eventHeader } = integration
  const header = (name: string) => arrived.header(name).toWellFormed()
  const event = eventHeader === undefined ? '' : header(eventHeader)
  if (eventHeader !== undefined && event === '') return { kind: 'no event', header: eventHeader }
  const body = integration.body === 'form' ? formOf(arrived, allowance) : payloadOf(arrived, allowance)
  if (!body) return { kind: 'malformed' }
  if (integration.usesTemplate && !template) return { kind: 'template wanted' }
  const options: Delivery['options'] = Object.fromEntries(
    OPTION_NAMES.flatMap((name) => optionOf(arrived, name)),
  )
  const delivery: Delivery = {
    body,
    header,
    event: cut(event, EVENT_LENGTH),
    options,
    takesBranch: branchFilterOf(options),
    hasOwnTopic: filters.topic === undefined && filters.stream !== undefined,
    template: template ?? NO_TEMPLATE,
    digest: () => digestOf(event, arrived),
  }
  // Nothing is left for the id once a large post is read.
  const id = integration.deliveryId?.(delivery) ?? ''
  const reading = integration.read(delivery)
  const isWanted = eventFilterOf(filters)
  if (typeof reading === 'object' && 'unsupported' in reading) {
    const name = cut(reading.unsupported, EVENT_LENGTH)
    if (isWanted(name)) return { kind: 'unsupported', event: name }
  }
  const { messages: all, unread } = messagesOf(reading)
  const messages = all.filter((message) => message.event === null || isWanted(message.event))
  const said = cut(all[0]?.event ?? event, EVENT_LENGTH)
  const { retriesWithin } = integration
  const written = few({ messages, unread }, allowance)
  const shown = written.map((message) => short(message, integration))
  return { kind: 'messages', id, event: said, ...(retriesWithin ? { retriesWithin } : {}), messages: shown }
}

function digestOf(event: string, { body, fields }: ArrivedBody): string {
  const said = body.length > 0 ? body : JSON.stringify(Array.from(fields, ([name, value]) => [name, value]))
  return createHash('sha256').update(`${event}\n`).update(said).digest('base64url')
}

function optionOf({ fields }: ArrivedBody, name: string): [string, string][] {
  const value = fields.get(name)
  return value === undefined ? [] : [[name, value]]
}

/** Returns the values of a form, or of the address alone; the JSON of any other body. */
function formOf(arrived: ArrivedBody, allowance: Allowance): Payload | undefined {
  const { body, fields, isForm } = arrived
  const hasValues = body.length === 0 || (isForm && fieldWithJson(fields) === undefined)
  return hasValues ? Payload.ofPost(Object.fromEntries(fields), allowance) : payloadOf(arrived, allowance)
}

function fieldWithJson(fields: ArrivedBody['fields']): string | undefined {
  return PAYLOAD_FIELDS.map((name) => fields.get(name)).find((value) => value !== undefined)
}

/** Returns the JSON of the body, or of the form field for it; undefined for anything but an object or a list. */
function payloadOf({ body, fields, isForm }: ArrivedBody, allowance: Allowance): Payload | undefined {
  const field = isForm ? fieldWithJson(fields) : undefined
  const text = field ?? new TextDecoder().decode(body)
  const excess = excessOfJson(text, { levels: DEEPEST_JSON, values: MANY_VALUES })
  if (excess === 'levels') return undefined
  const bytes = () => (field === undefined ? body : new TextEncoder().encode(field))
  const value = excess === 'values' ? tryParseShortened(bytes()) : tryParseJson(text)
  return typeof value === 'object' && value !== null ? Payload.ofPost(value, allowance) : undefined
}

function messagesOf(reading: Reading): WebhookMessages {
  if (reading === 'ignore' || 'unsupported' in reading) return { messages: [], unread: 0 }
  return 'text' in reading ? { messages: [reading], unread: 0 } : reading
}

/** Returns the filter in the address for branches; undefined or blank for all. */
function branchFilterOf({ branches = '' }: Delivery['options']): NameFilter {
  return branches.trim() === '' ? () => true : fitsOneOf(patternsIn(branches))
}

/** Returns the filter in the address for events. */
function eventFilterOf({ only_events, exclude_events = [] }: DeliveryFilters): NameFilter {
  const isIncluded = only_events === undefined ? () => true : fitsOneOf(only_events)
  const isExcluded = fitsOneOf(exclude_events)
  return (event) => {
    const name = firstPoints(event, EVENT_LENGTH)
    return isIncluded(name) && !isExcluded(name)
  }
}

/** Returns a message for the organization, which cuts it to the limit of messages and says so. */
function short(
  { topic, text, isForOwner, whole = subjectOf(text) }: WrittenMessage,
  { displayName }: Integration,
): SentMessage {
  const linked = linkToWhole(text, whole)
  const end = linkToWhole(wholeHere(), whole)
  const isCut = end !== '' && isLongerThan(linked, MAX_TEXT)
  return {
    topic: oneLine(topic, SENT_TOPIC) || displayName,
    text: isCut ? firstPoints(linked, MAX_TEXT - end.length) + end : firstPoints(linked, SENT_TEXT),
    ...(isForOwner ? { isForOwner } : {}),
  }
}

type WrittenMessage = WebhookMessage & { readonly text: string }

/** Writes the first messages. The last one counts what they leave out, or says that the rest of a huge post was not read. */
function few({ messages, unread }: WebhookMessages, allowance: Allowance): readonly WrittenMessage[] {
  const written = messages
    .slice(0, MAX_MESSAGES)
    .map(({ text, ...message }) => ({ ...message, text: typeof text === 'string' ? text : text() }))
  const more = messages.length - written.length + unread
  const left = allowance.isSpent ? 'and more' : more > 0 ? `and ${more} more` : ''
  const last = written.at(-1)
  return last === undefined || left === ''
    ? written
    : [...written.slice(0, -1), { ...last, text: blocks(last.text, andMore(left, `[${left}]`)) }]
}
