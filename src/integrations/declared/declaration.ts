/** Services whose posts are read by data: which event it is, which topic it has, which words, and where the signature is. */
import { topicOf } from '../code-host-wording.ts'
import {
  type Delivery,
  defineIntegration,
  type Integration,
  type Reading,
  type UnsupportedEvent,
  type WebhookMessage,
} from '../integration.ts'
import { blocks, details, listOf, plainOrLink, quote, statement } from '../markdown.ts'
import type { Payload } from '../payload.ts'
import {
  aboutItem,
  parseSentence,
  type Sentence,
  type Subject,
  say,
  sayPlainly,
  subjectOf,
  type Tables,
} from './sentence.ts'

/** A topic, or its parts, of which those with a value are joined. */
type Topic = string | readonly string[]

/** What is said of an event. All texts are sentences (sentence.ts). */
export interface Words {
  /** The sentence, without a full stop. */
  readonly says: string
  /** A text that is quoted below it: the service's own Markdown. */
  readonly quotes?: string
  /** Facts below it, by their names. Those without a value are left out. */
  readonly facts?: Readonly<Record<string, string>>
  /** The path of an object whose entries are facts too. */
  readonly entries?: string
  /** A list below it: the path of its items, and what is said of each. */
  readonly list?: { readonly of: string; readonly says: string }
  /** A topic other than that of the service. */
  readonly topic?: Topic
  /** What the event has if it is worth a message; nobody needs to know of another. */
  readonly needs?: string
  /** Whether it is for the bot's owner alone. */
  readonly isForOwner?: true
}

/** The Markdown text of a service, which is the message as it is. */
interface Whole {
  readonly markdown: string
}

interface Declaration
  extends Pick<
    Integration,
    'name' | 'displayName' | 'body' | 'verify' | 'sign' | 'handshake' | 'answersHead'
  > {
  /** The name of the event; absent for a service without kinds of events. */
  readonly event?: string
  /** The paths of lists of which the first with items has a message for each. `.` is the post itself. */
  readonly each?: readonly string[]
  readonly topic: Topic
  /** What is said of each event; null for one of which nobody needs to know. */
  readonly events?: Readonly<Record<string, Words | Whole | null>>
  /** What is said of any other event; without it those are not supported. */
  readonly otherwise?: Words | Whole
  /** What a post has if it is one of the service: without it, the event is not supported. */
  readonly needs?: string
  /** The branch, which the option `branches` of the address filters. */
  readonly branch?: string
  /** The sender's id of the delivery. `{{#}}` is a digest of the whole post, for services of which no two are the same. */
  readonly id?: string
  /** Whether its links lead to other pages than that of the full text. */
  readonly linksElsewhere?: true
  readonly tables?: Tables
}

/** Limit of the items of a list that are written; the rest is counted. */
const MAX_LISTED = 20
/** Limit of the messages of a post that are looked at. */
const MAX_EACH = 100

interface ReadWords {
  readonly says: Sentence
  readonly quotes: Sentence
  readonly facts: readonly (readonly [name: string, value: Sentence])[]
  readonly entries?: readonly string[]
  readonly list?: { readonly of: readonly string[]; readonly says: Sentence }
  readonly topic?: readonly Sentence[]
  readonly needs: Sentence
  readonly isForOwner?: true
}

type ReadEntry = ReadWords | { readonly markdown: Sentence } | null

/** A declaration with its sentences parsed. */
interface ReadDeclaration {
  readonly event: Sentence
  readonly topic: readonly Sentence[]
  readonly entries: Readonly<Record<string, ReadEntry>>
  readonly other?: ReadEntry
  readonly needs: Sentence
  readonly branch: Sentence
  readonly id: Sentence
}

/** Returns the integration that a declaration describes. */
export function declared(declaration: Declaration): Integration {
  const { name, displayName, tables = {}, events = {}, id, branch } = declaration
  const named = Object.keys(events).filter((one) => events[one] !== null && one !== '')
  let parsed: ReadDeclaration | undefined
  // Most isolates never read a post: the sentences of all services would take a good part of their start.
  const sentences = () => {
    parsed ??= readDeclaration(declaration)
    return parsed
  }
  return defineIntegration({
    ...pick(declaration),
    name,
    displayName,
    events: named.length === 0 ? null : named,
    ...(branch === undefined ? {} : { options: ['branches'] }),
    ...(id === undefined
      ? {}
      : {
          deliveryId: (delivery) =>
            sayPlainly(
              sentences().id,
              subjectOf(delivery.body, { ...delivery, post: delivery.body, tables }),
            ),
        }),
    read: (delivery) => readPost(declaration, sentences(), delivery),
  })
}

/** @throws TemplateError for an invalid sentence */
function readDeclaration(declaration: Declaration): ReadDeclaration {
  const { event = '', topic, events = {}, otherwise, needs = '', branch = '', id = '' } = declaration
  return {
    event: parseSentence(event),
    topic: readTopic(topic),
    entries: Object.fromEntries(
      Object.entries(events).map(([kind, entry]) => [kind, entry && readEntry(entry)]),
    ),
    ...(otherwise === undefined ? {} : { other: readEntry(otherwise) }),
    needs: parseSentence(needs),
    branch: parseSentence(branch),
    id: parseSentence(id),
  }
}

function readPost(declaration: Declaration, sentences: ReadDeclaration, delivery: Delivery): Reading {
  const { tables = {}, each } = declaration
  const { body, takesBranch } = delivery
  const about = { ...delivery, post: body, tables }
  const whole = subjectOf(body, about)
  const branch = sayPlainly(sentences.branch, whole)
  if (branch !== '' && !takesBranch(branch)) return 'ignore'
  if (each === undefined) return readThing(declaration, sentences, whole)
  const paths = each.map((path) => (path === '.' ? [] : path.split('.')))
  const path = paths.find((one) => body.count(...one) > 0) ?? paths[0]!
  const items = body.firstItems(MAX_EACH, ...path)
  const all = items.map((item) => readThing(declaration, sentences, subjectOf(item, about)))
  const messages = all.filter((one): one is WebhookMessage => typeof one === 'object' && 'text' in one)
  const unsupported = all.find((one) => typeof one === 'object' && 'unsupported' in one)
  if (messages.length === 0) return unsupported ?? (body.has(...path) ? 'ignore' : { unsupported: 'unknown' })
  return { messages, unread: Math.max(0, body.count(...path) - items.length) }
}

/** Reads a post, or an item of it that is a message of its own. */
function readThing(
  { linksElsewhere }: Declaration,
  { event, topic, entries, other, needs }: ReadDeclaration,
  subject: Subject,
): WebhookMessage | 'ignore' | UnsupportedEvent {
  const kind = sayPlainly(event, subject)
  const entry = Object.hasOwn(entries, kind) ? entries[kind] : other
  if (entry === null) return 'ignore'
  if (!entry) return { unsupported: kind || 'unknown' }
  if (lacks(needs, subject)) return { unsupported: kind || 'message without content' }
  if ('says' in entry && lacks(entry.needs, subject)) return 'ignore'
  const own = 'topic' in entry ? entry.topic : undefined
  return {
    ...('says' in entry && entry.isForOwner ? { isForOwner: true } : {}),
    event: kind || null,
    topic: topicOf(...(own ?? topic).map((part) => sayPlainly(part, subject))),
    text: () => textOfEntry(entry, subject),
    ...(linksElsewhere ? { whole: '' } : {}),
  }
}

function readTopic(topic: Topic): readonly Sentence[] {
  return (typeof topic === 'string' ? [topic] : topic).map(parseSentence)
}

/** Whether nothing of what is needed is there. */
function lacks(needed: Sentence, subject: Subject): boolean {
  return needed.length > 0 && sayPlainly(needed, subject) === ''
}

/** Returns the fields that an integration has too. */
function pick(declaration: Declaration): Partial<Integration> {
  const { body, verify, sign, handshake, answersHead } = declaration
  const fields = { body, verify, sign, handshake, answersHead }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function readEntry(entry: Words | Whole): ReadEntry {
  if ('markdown' in entry) return { markdown: parseSentence(entry.markdown) }
  const { says, quotes = '', facts = {}, entries, list, topic, needs = '', isForOwner } = entry
  return {
    says: parseSentence(says),
    quotes: parseSentence(quotes),
    facts: Object.entries(facts).map(([name, value]) => [name, parseSentence(value)] as const),
    ...(entries === undefined ? {} : { entries: entries.split('.') }),
    ...(list === undefined ? {} : { list: { of: list.of.split('.'), says: parseSentence(list.says) } }),
    ...(topic === undefined ? {} : { topic: readTopic(topic) }),
    needs: parseSentence(needs),
    ...(isForOwner ? { isForOwner } : {}),
  }
}

function textOfEntry(entry: NonNullable<ReadEntry>, subject: Subject): string {
  if ('markdown' in entry) return sayPlainly(entry.markdown, subject)
  const { facts, entries, list } = entry
  return statement(
    say(entry.says, subject),
    blocks(
      quote(sayPlainly(entry.quotes, subject)),
      details(facts.map(([name, value]) => [name, say(value, subject)] as const)),
      entries ? entriesOf(subject.here.at(...entries)) : '',
      list ? listed(subject, list.of, list.says) : '',
    ),
  )
}

/** Returns the entries of an object as facts. */
function entriesOf(object: Payload): string {
  const facts = object
    .entries()
    .map(([key, value]) => [key.replaceAll('_', ' '), plainOrLink(value.text())] as const)
  return details(facts, object.unread())
}

function listed(subject: Subject, path: readonly string[], says: Sentence): string {
  const items = subject.here.firstItems(MAX_LISTED, ...path)
  const unread = subject.here.count(...path) - items.length
  const lines = items.map((item) => say(says, aboutItem(subject, item))).filter((line) => line !== '')
  return lines.length === 0 ? '' : listOf(lines, (line) => line, Math.max(0, unread))
}
