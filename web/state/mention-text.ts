import { type AddressNames, addressOf } from './addresses.ts'
import { encodeOperand } from './hash-encoding.ts'
import { channelNarrow, topicNarrow } from './narrow.ts'

/**
 * The Markdown that the page writes for people, groups, channels and topics. The server writes the same in its notices
 * (docs/interface/access.md#notices); a test compares both.
 */

/** Characters of names that the syntax of links to channels and topics cannot carry. */
const UNFIT = /[`>*&[\]\n]|\$\$/
/** The end of a topic that reads as the id of a message. */
const LIKE_AN_ID = /@\d+$/
/** Names that mention many people. */
const WILDCARDS: readonly string[] = ['all', 'everyone', 'channel', 'stream', 'topic']

/** Returns the mention of a user; `isOnly`: whether nobody else has the name. */
export function mentionOfUser(
  { user_id: id, full_name: name }: { readonly user_id: number; readonly full_name: string },
  { isSilent = false, isOnly = false } = {},
): string {
  const sign = isSilent ? '@_' : '@'
  if (/[*\n]/.test(name)) return `${sign}**|${id}**`
  const isEnough = isOnly && !WILDCARDS.includes(name) && !/\|\d+$/.test(name)
  return `${sign}**${name}${isEnough ? '' : `|${id}`}**`
}

/** Returns the mention of a group; a link, which notifies nobody, where its name cannot stand in a mention. */
export function mentionOfGroup(
  { id, name }: { readonly id: number; readonly name: string },
  { isSilent = false } = {},
): string {
  if (!/[*\n]/.test(name)) return `${isSilent ? '@_' : '@'}*${name}*`
  return `[${escapeLinkText(name)}](#groups/${id}/${encodeOperand(name)})`
}

/** Returns the link to a channel, or to a topic of it; `emptyTopic`: the name of the empty one. */
export function linkTo(
  channel: { readonly stream_id: number; readonly name: string },
  topic: string | undefined,
  { names, emptyTopic }: { readonly names: AddressNames; readonly emptyTopic: string },
): string {
  const isFit = ![channel.name, topic ?? ''].some((name) => UNFIT.test(name)) && !LIKE_AN_ID.test(topic ?? '')
  if (isFit) return `#**${channel.name}${topic === undefined ? '' : `>${topic}`}**`
  const name = `#${escapeLinkText(channel.name)}`
  const text = topic === undefined ? name : `${name} > ${escapeLinkText(topic || emptyTopic)}`
  const id = channel.stream_id
  const narrow = topic === undefined ? channelNarrow(id) : topicNarrow(id, topic)
  return `[${text}](${addressOf(narrow, names)})`
}

/** Signs that begin markup in the text of a link, and line breaks. */
const MARKUP = /[`>*&[\]<\n]|\$\$|~~|:(?=[^\s:]+:)/g

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Returns a text as it can stand between the brackets of a link. */
export function escapeLinkText(text: string): string {
  return text.replace(MARKUP, (signs) =>
    signs === '\n' ? ' ' : [...signs].map((sign) => NAMED[sign] ?? `&#${sign.charCodeAt(0)};`).join(''),
  )
}
