import { findAddresses } from './addresses.ts'
import {
  channelLink,
  encodeNarrowOperand,
  type LinkedChannel,
  messageNearLink,
  topicLink,
} from './message-links.ts'

/** Things that a text by the server can link to or mention. */
export type Mentioned =
  /** Mentioned silently unless `notifies`. */
  | { readonly user: { readonly id: number; readonly fullName: string }; readonly notifies?: boolean }
  /** Always mentioned silently. */
  | { readonly group: { readonly id: number; readonly name: string } }
  /** A channel, a topic of it ('' for the empty one), or a message in that. */
  | { readonly channel: LinkedChannel; readonly topic?: string; readonly messageId?: number }

/** Characters that the syntax of links to channels and topics cannot express, neither here nor in clients. */
const UNFIT = /[`>*&[\]\n]|\$\$/
/** A topic ending that would be read as a message id. */
const LIKE_AN_ID = /@\d+$/
/** The clients' name for the empty topic in a link. */
const EMPTY_TOPIC = 'general chat'
const MESSAGE_SIGN = '💬'

/**
 * Returns the Markdown that names a thing. It is a single mention or link, whatever characters the name has: names that the syntax cannot
 * express become a Markdown link with the name as its text.
 */
export function mentionText(mentioned: Mentioned): string {
  if ('user' in mentioned) return mentionOfUser(mentioned)
  if ('group' in mentioned) return mentionOfGroup(mentioned.group)
  const { channel, topic, messageId } = mentioned
  if (isFit(mentioned)) {
    const message = messageId === undefined ? '' : `@${messageId}`
    return topic === undefined ? `#**${channel.name}**` : `#**${channel.name}>${topic}${message}**`
  }
  return `[${labelOf(mentioned)}](${addressOf(mentioned).replace(/^\//, '')})`
}

/** Returns the Markdown of a link to a message that also works on other pages. `address`: the absolute one. */
export function messageLinkText(channel: LinkedChannel, topic: string, address: string): string {
  return `[${labelOf({ channel, topic, messageId: 0 })}](${address})`
}

function labelOf({ channel, topic, messageId }: InChannel): string {
  const name = `#${escapeLinkText(channel.name)}`
  const text = topic === undefined ? name : `${name} > ${escapeLinkText(topic || EMPTY_TOPIC)}`
  return messageId === undefined ? text : `${text} @ ${MESSAGE_SIGN}`
}

type InChannel = Extract<Mentioned, { channel: unknown }>

function isFit({ channel, topic, messageId }: InChannel): boolean {
  if (UNFIT.test(channel.name) || UNFIT.test(topic ?? '')) return false
  return messageId !== undefined || !LIKE_AN_ID.test(topic ?? '')
}

function addressOf({ channel, topic, messageId }: InChannel): string {
  if (topic === undefined) return channelLink(channel)
  return messageId === undefined ? topicLink(channel, topic) : messageNearLink(channel, topic, messageId)
}

/** The id is sufficient; the name is for people who read the source. */
function mentionOfUser({ user, notifies }: Extract<Mentioned, { user: unknown }>): string {
  const name = /[*\n]/.test(user.fullName) ? '' : user.fullName
  return `@${notifies ? '' : '_'}**${name}|${user.id}**`
}

function mentionOfGroup({ id, name }: { readonly id: number; readonly name: string }): string {
  if (!/[*\n]/.test(name)) return `@_*${name}*`
  return `[${escapeLinkText(name)}](#groups/${id}/${encodeNarrowOperand(name)})`
}

/** Characters that begin markup anywhere, and line breaks. */
const MARKUP = /[`>*&[\]<\n]|\$\$|~~|:(?=[^\s:]+:)/g
/** Characters of which every address has one. */
const OF_ADDRESSES = /[.@:]/g

/** Returns Markdown that shows a text verbatim in a link, on one line: characters that would begin markup become entities. */
export function escapeLinkText(text: string): string {
  return text.replace(MARKUP, (signs) => (signs === '\n' ? ' ' : asEntities(signs)))
}

/** Does the same for a text outside links, where addresses in it would become links. */
export function escapeName(text: string): string {
  let escaped = ''
  let rest = 0
  for (const { start, end } of findAddresses(text)) {
    escaped += escapeLinkText(text.slice(rest, start))
    escaped += escapeLinkText(text.slice(start, end)).replace(OF_ADDRESSES, asEntities)
    rest = end
  }
  return escaped + escapeLinkText(text.slice(rest))
}

function asEntities(signs: string): string {
  return [...signs].map((sign) => NAMED.get(sign) ?? `&#${sign.charCodeAt(0)};`).join('')
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
])

/** Returns a block of some kind that its text cannot close. `minimum`: of the backticks in its fences. */
export function block(kind: string, text: string, minimum = 3): string {
  const runs = text.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(minimum, ...runs.map(({ length }) => length + 1)))
  return `${fence}${kind}\n${text}\n${fence}`
}
