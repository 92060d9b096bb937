import type { MarkdownIt, StateInline } from 'markdown-it'
import { channelLink, messageNearLink, topicLink } from '../message-links.ts'
import { contextOf } from '../render-types.ts'
import { pushLiteral } from './emphasis.ts'
import { mayPrecede } from './mentions.ts'

/**
 * Parses `#**channel**`, `#**channel>topic**`, `#**channel>topic@message id**`; the topic may be empty. A link to a topic includes the
 * newest message that the sender may read there, so that it survives a move. A channel that the sender may not see stays text, so that a
 * link cannot reveal a name. Source: the public API's message formatting, "Links to channels, topics, and messages".
 */
function parseChannelLink(state: StateInline, silentParse: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== 0x23 || !src.startsWith('**', pos + 1) || state.linkLevel > 0) return false
  // Unlike a mention, a link may also follow a comma or a colon.
  if (pos > 0 && !mayPrecede.test(src[pos - 1]!) && !',:'.includes(src[pos - 1]!)) return false

  const start = pos + 3
  let end = start
  while (end < state.posMax && src[end] !== '*' && src[end] !== '\n') end++
  if (end === start || !src.startsWith('**', end) || end + 2 > state.posMax) return false

  const { lookups } = contextOf(state.env)
  const text = src.slice(start, end)
  // A channel's name may contain ">": the part before the first one is tried first, as in other clients, then the whole.
  const bar = text.indexOf('>')
  const parent = bar <= 0 ? undefined : lookups.channelNamed(text.slice(0, bar))
  const channel = parent ?? lookups.channelNamed(text)
  if (channel === undefined) return false

  if (!silentParse) {
    if (parent === undefined) {
      open(state, 'stream', channelLink(channel), channel.id)
      pushLiteral(state, `#${channel.name}`)
    } else {
      pushConversation(state, channel, text.slice(bar + 1))
    }
    state.push('a_close', 'a', -1)
  }
  state.pos = end + 2
  return true
}

/** Pushes the link to a topic or to one of its messages, without its closing tag. */
function pushConversation(state: StateInline, channel: { id: number; name: string }, text: string): void {
  const near = /^(.*)@(\d{1,15})$/.exec(text)
  const topic = near === null ? text : near[1]!
  const { lookups } = contextOf(state.env)
  if (near === null) {
    const newest = lookups.newestInTopic?.(channel.id, topic)
    open(state, 'stream-topic', topicLink(channel, topic, newest), channel.id)
  } else open(state, 'message-link', messageNearLink(channel, topic, Number(near[2])))

  pushLiteral(state, `#${channel.name} > `)
  if (topic === '') {
    state.push('em_open', 'em', 1)
    pushLiteral(state, lookups.emptyTopicDisplayName)
    state.push('em_close', 'em', -1)
  } else {
    pushLiteral(state, topic)
  }
  if (near !== null) pushLiteral(state, ' @ 💬')
}

function open(state: StateInline, className: string, href: string, channelId?: number): void {
  const token = state.push('a_open', 'a', 1)
  token.attrPush(['class', className])
  if (channelId !== undefined) token.attrPush(['data-stream-id', String(channelId)])
  token.attrPush(['href', href])
}

export function useChannelLinks(md: MarkdownIt): void {
  md.inline.ruler.before('strikethrough', 'channel_link', parseChannelLink)
}
