import type { MarkdownIt, StateInline } from 'markdown-it'
import { nameKey } from '../../core/names.ts'
import { contextOf, type MentionableUser, type RenderContext } from '../render-types.ts'
import { type Attributes, pushElement } from './emphasis.ts'

/** A rendered mention. `label` has no `@`, which is added unless the mention is silent. */
interface Mention {
  label: string
  attributes: Attributes
  silent: boolean
}

const channelWildcards = new Set(['all', 'everyone', 'channel', 'stream'])

/** Descriptions of system groups, shown in place of their API names. */
const systemGroupLabels = new Map([
  ['role:internet', 'Everyone on the internet'],
  ['role:everyone', 'Everyone'],
  ['role:members', 'Members'],
  ['role:fullmembers', 'Full members'],
  ['role:moderators', 'Moderators'],
  ['role:administrators', 'Administrators'],
  ['role:owners', 'Owners'],
  ['role:nobody', 'Nobody'],
])

/** Characters before a mention, which stands at the start of a word: white space or an opening sign. */
export const mayPrecede = /[\s'"({[/<]/

/**
 * Parses `@**Full Name**`, `@**Full Name|id**`, `@**|id**`, `@*group*`, with `_` after the `@` for the silent form. An unknown name stays
 * text. Source: the public API's message formatting, "Mentions".
 */
function parseMention(state: StateInline, silentParse: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== 0x40) return false
  if (pos > 0 && !mayPrecede.test(src[pos - 1]!)) return false

  let cursor = pos + 1
  const silent = src[cursor] === '_'
  if (silent) cursor++
  if (src[cursor] !== '*') return false
  const stars = src[cursor + 1] === '*' ? '**' : '*'
  const start = cursor + stars.length
  const end = findClose(src, start, state.posMax)
  if (end <= start || !src.startsWith(stars, end) || end + stars.length > state.posMax) return false

  const context = contextOf(state.env)
  const name = src.slice(start, end)
  const quiet = silent || context.quoteDepth > 0
  const mention = stars === '**' ? mentionOfUser(context, name, quiet) : mentionOfGroup(context, name, quiet)
  if (mention === undefined) return false

  if (!silentParse) {
    recordMention(context, mention)
    pushElement(state, 'span', mention.attributes, mention.silent ? mention.label : `@${mention.label}`)
  }
  state.pos = end + stars.length
  return true
}

/** Returns the next star on the same line; the line's end without one. */
function findClose(src: string, start: number, max: number): number {
  let pos = start
  while (pos < max && src[pos] !== '*' && src[pos] !== '\n') pos++
  return pos
}

function mentionOfUser(context: RenderContext, name: string, quiet: boolean): Mention | undefined {
  if (channelWildcards.has(name)) {
    const className = `user-mention channel-wildcard-mention${quiet ? ' silent' : ''}`
    return {
      label: name,
      silent: quiet,
      attributes: [
        ['class', className],
        ['data-user-id', '*'],
      ],
    }
  }
  if (name === 'topic') {
    return { label: name, silent: quiet, attributes: [['class', `topic-mention${quiet ? ' silent' : ''}`]] }
  }
  const user = findUser(context, name)
  if (user === undefined) return undefined
  // A deactivated user can be named, but not notified.
  const silent = quiet || !user.isActive
  const className = `user-mention${silent ? ' silent' : ''}`
  return {
    label: user.fullName,
    silent,
    attributes: [
      ['class', className],
      ['data-user-id', String(user.id)],
    ],
  }
}

/** Finds a user by `Full Name`, `Full Name|id` or `|id`. The id must belong to a user with that name. */
function findUser({ lookups }: RenderContext, text: string): MentionableUser | undefined {
  const bar = text.lastIndexOf('|')
  if (bar >= 0 && /^\d{1,15}$/.test(text.slice(bar + 1))) {
    const user = lookups.userById(Number(text.slice(bar + 1)))
    const name = text.slice(0, bar)
    if (user !== undefined && (name === '' || nameKey(name) === nameKey(user.fullName))) return user
  }
  // Among users of one name, active ones come first, then those spelled exactly like this, then the earliest to join.
  const users = [...lookups.usersNamed(text)].sort((a, b) => a.id - b.id)
  const active = users.filter((user) => user.isActive)
  return active.find((user) => user.fullName === text) ?? active[0] ?? users[0]
}

function mentionOfGroup({ lookups }: RenderContext, name: string, quiet: boolean): Mention | undefined {
  const group = lookups.groupNamed(name)
  if (group === undefined) return undefined
  // A deactivated group can be named, but not notified.
  const silent = quiet || group.isDeactivated
  const className = `user-group-mention${silent ? ' silent' : ''}`
  return {
    label: systemGroupLabels.get(group.name) ?? group.name,
    silent,
    attributes: [
      ['class', className],
      ['data-user-group-id', String(group.id)],
    ],
  }
}

/** Records the users notified by the mention; silent mentions notify no one. */
function recordMention(context: RenderContext, { attributes, silent, label }: Mention): void {
  if (silent) return
  const [, id] = attributes
  if (id === undefined) context.topicWildcard = true
  else if (id[0] === 'data-user-group-id') context.mentionedGroupIds.add(Number(id[1]))
  else if (id[1] === '*' && channelWildcards.has(label)) context.channelWildcard = true
  else context.mentionedUserIds.add(Number(id[1]))
}

export function useMentions(md: MarkdownIt): void {
  md.inline.ruler.before('strikethrough', 'mention', parseMention)
}
