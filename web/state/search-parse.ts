import { channelNamed } from './channels.ts'
import type { ChatState } from './chat-state.ts'
import { completeChannels, completePeople, completeTopics } from './completion.ts'
import { peersOf } from './conversation.ts'
import {
  channelOfNarrow,
  HAS_OPERANDS,
  IS_OPERANDS,
  type Narrow,
  type NarrowTerm,
  type SearchRange,
} from './narrow.ts'
import { recentConversations } from './recent.ts'
import { DAY_OPERATORS, dayOf, OTHER_OPERATORS, rangeOf, readingsOf } from './search-aliases.ts'
import { idOf, nameOf, quoted, usersNamed } from './search-text.ts'
import { topicsNamed } from './topics-named.ts'
import { FIT, fitOf, hasWords } from './words.ts'

export interface Search {
  readonly narrow: Narrow
  readonly range: SearchRange
}

/**
 * Searches as they are typed: `channel:general topic:"lunch break" -is:resolved has:link after:2026-11-01 words to
 * look for`, or as in other apps (`search-aliases.ts`). An operand with spaces is in quotes. People are named by their
 * name, or by `name|id` where several have it.
 */
export function parseSearch(state: ChatState, text: string): Search {
  const narrow: NarrowTerm[] = []
  const words: string[] = []
  let range: SearchRange = {}
  for (const token of tokensOf(text)) {
    const days = token.negated ? undefined : rangeOf(token.operator, token.operand)
    const terms = days ? [] : termsOf(state, token)
    if (days) range = { ...range, ...days }
    else if (terms) narrow.push(...terms)
    else words.push(token.raw)
  }
  if (words.length > 0) narrow.push({ operator: 'search', operand: words.join(' ') })
  return { narrow, range }
}

/** Returns the words of a search that have an operator, but name nobody and nothing: they are searched for as they are. */
export function unknownTerms(words: string): string[] {
  return [...tokensOf(words)].flatMap(({ operator, operand, raw }) =>
    operator !== undefined && operand !== '' && isOperator(operator) ? [raw] : [],
  )
}

/** Returns the terms that a word stands for; undefined for a word to look for. */
function termsOf(state: ChatState, { operator, operand, negated }: Token): NarrowTerm[] | undefined {
  // The opposite of two terms together is no term.
  const readings = readingsOf(operator, operand).filter((reading) => !negated || reading.length === 1)
  for (const find of [termOf, likelyTerm]) {
    for (const reading of readings) {
      const terms = reading.map((written) => {
        const term =
          find(state, written.operator, written.operand) ?? termOf(state, written.operator, written.operand)
        return term && (written.negated === true) !== negated ? { ...term, negated: true } : term
      })
      if (!terms.includes(undefined)) return terms as NarrowTerm[]
    }
  }
  return undefined
}

/** Returns the term for the beginning of a name, where only one person or channel has it. */
function likelyTerm(state: ChatState, operator: string, operand: string): NarrowTerm | undefined {
  if (operand.trim() === '') return undefined
  switch (operator) {
    case 'channel': {
      const [channel, other] = completeChannels(state, operand).filter(({ name }) => isBegun(name, operand))
      return channel && !other ? { operator, operand: channel.stream_id } : undefined
    }
    case 'dm':
    case 'sender':
    case 'dm-including':
    case 'mentions': {
      const [user, other] = completePeople(state, operand).filter((one) => isBegun(one.full_name, operand))
      if (!user || other) return undefined
      return operator === 'dm'
        ? { operator, operand: peersOf([user.user_id], state.me) }
        : { operator, operand: user.user_id }
    }
    default:
      return undefined
  }
}

function isBegun(name: string, typed: string): boolean {
  const how = fitOf(name, typed)
  return how !== undefined && how <= FIT.words
}

/**
 * Whether the last word has an operator with an incomplete operand, such as `sender:to`, which would be searched for as a word.
 */
export function isUnfinished(state: ChatState, text: string): boolean {
  const last = [...tokensOf(text)].at(-1)
  if (last?.operator === undefined || text.endsWith(' ')) return false
  const { operator, operand } = last
  if (DAY_OPERATORS.some((one) => one === operator)) return rangeOf(operator, operand) === undefined
  if (!isOperator(operator)) return false
  const isExact = readingsOf(operator, operand).some((reading) =>
    reading.every((written) => termOf(state, written.operator, written.operand) !== undefined),
  )
  return operand === '' || !isExact
}

const SEARCH_OPERATORS = [
  'channel',
  'topic',
  'dm',
  'dm-including',
  'sender',
  'is',
  'has',
  'in',
  'channels',
  'mentions',
  ...DAY_OPERATORS,
  'id',
] as const

/** Those of other apps that are offered by their first letters. */
const OFFERED_TOO = ['from', 'to']

function isOperator(name: string): boolean {
  return [...SEARCH_OPERATORS, ...OTHER_OPERATORS].some((one) => one === name)
}

/** Returns the whole text with its last word completed, best first. */
export function completeSearch(state: ChatState, text: string, limit = 8): string[] {
  const last = [...tokensOf(text)].at(-1)
  const head = last && !text.endsWith(' ') ? text.slice(0, text.length - last.raw.length) : text
  const typed = last && !text.endsWith(' ') ? last : undefined
  const sign = typed?.negated ? '-' : ''
  if (typed?.operator === undefined) {
    const beginning = (typed?.operand ?? '').toLowerCase()
    if (beginning === '') return []
    const named = namedBy(state, beginning, limit)
    if (named) return named.map((one) => `${head}${sign}${one}`)
    const operators = [...SEARCH_OPERATORS, ...OFFERED_TOO]
      .filter((name) => name.startsWith(beginning))
      .map((name) => `${name}:`)
    const flags = IS_OPERANDS.filter((name) => name.startsWith(beginning)).map((name) => `is:${name}`)
    const senders = completePeople(state, beginning, { limit: 3 }).map(
      (user) => `sender:${quoted(nameOf(state, user))}`,
    )
    const channels = completeChannels(state, beginning, 3).map(({ name }) => `channel:${quoted(name)}`)
    const isPlain = [...tokensOf(text)].every(({ operator, negated }) => operator === undefined && !negated)
    const topics = isPlain ? topicsWith(state, text.trim()) : []
    const terms = [...channels, ...senders, ...operators, ...flags].map((one) => `${head}${sign}${one}`)
    return [...topics, ...terms].slice(0, limit)
  }
  const channelId = channelOfNarrow(parseSearch(state, head).narrow)
  const readings = readingsOf(typed.operator, typed.operand)
  const operands = readings.flatMap(([written]) =>
    written ? operandsFor(state, written.operator, written.operand, channelId, limit) : [],
  )
  const general = typed.operator === 'in' ? operandsFor(state, 'in', typed.operand, channelId, limit) : []
  return [...new Set([...operands, ...general])]
    .slice(0, limit)
    .map((operand) => `${head}${sign}${typed.operator}:${quoted(operand)}`)
}

/** Returns the terms that `@name` and `#name` may stand for; undefined for other words. */
function namedBy(state: ChatState, word: string, limit: number): string[] | undefined {
  const name = word.slice(1)
  if (word.startsWith('#'))
    return completeChannels(state, name, limit).map((channel) => `channel:${quoted(channel.name)}`)
  if (!word.startsWith('@')) return undefined
  return completePeople(state, name, { limit: Math.ceil(limit / 2) }).flatMap((user) =>
    ['mentions', 'sender'].map((operator) => `${operator}:${quoted(nameOf(state, user))}`),
  )
}

function operandsFor(
  state: ChatState,
  operator: string,
  typed: string,
  channelId: number | undefined,
  limit: number,
): string[] {
  const beginning = (names: readonly string[]) => names.filter((name) => name.startsWith(typed.toLowerCase()))
  switch (operator) {
    case 'channel':
      return completeChannels(state, typed, limit).map(({ name }) => name)
    case 'topic':
      return channelId === undefined
        ? recentTopics(state, typed, limit)
        : completeTopics(state, channelId, typed, limit)
    case 'sender':
    case 'dm-including':
    case 'mentions':
      return completePeople(state, typed, { limit }).map((user) => nameOf(state, user))
    case 'dm': {
      const names = typed.split(',')
      const before = names.slice(0, -1).map((name) => name.trim())
      return completePeople(state, names.at(-1)!.trim(), { limit }).map((user) =>
        [...before, nameOf(state, user)].join(','),
      )
    }
    case 'is':
      return beginning(IS_OPERANDS)
    case 'after':
    case 'before':
    case 'on':
    case 'during':
      return likelyDays().filter((day) => day.startsWith(typed))
    case 'has':
      return beginning(HAS_OPERANDS)
    case 'in':
      return beginning(['home', 'all'])
    case 'channels':
      return beginning(['public', 'web-public'])
    default:
      return []
  }
}

/** Returns days that are likely ends of a search: today, and some time ago. */
function likelyDays(): string[] {
  return [0, 1, 7, 30, 365].map((days) => {
    const day = new Date()
    day.setDate(day.getDate() - days)
    return dayOf(day)
  })
}

/** Returns the names of recent topics of all channels that match the typed text, newest first. */
function recentTopics(state: ChatState, typed: string, limit: number): string[] {
  const names = recentConversations(state).flatMap(({ conversation }) =>
    conversation.kind === 'topic' && conversation.topic !== '' && hasWords(conversation.topic, typed)
      ? [conversation.topic]
      : [],
  )
  return [...new Set(names)].slice(0, limit)
}

/** Returns topics with these words, as searches for them: those in which words begin so before those that only have the letters; then the newest. */
function topicsWith(state: ChatState, words: string): string[] {
  return topicsNamed(state, words)
    .slice(0, 3)
    .map(({ channelId, topic }) => {
      const channel = state.channels.get(channelId)!
      return `channel:${quoted(channel.name)} topic:${quoted(topic)}`
    })
}

interface Token {
  readonly raw: string
  readonly negated: boolean
  readonly operator: string | undefined
  /** The operand without its quotes. */
  readonly operand: string
}

/** A word, quoted or not, with or without an operator before it. An open quote extends to the end. */
const TOKEN = /(-?)(?:([a-z][a-z-]*):)?(?:"([^"]*)"?|([^\s"]\S*)|(?=\s|$))/gi

function* tokensOf(text: string): Generator<Token> {
  for (const [raw, minus, operator, inQuotes, word] of text.matchAll(TOKEN)) {
    if (raw === '') continue
    yield {
      raw,
      negated: minus === '-',
      operator: operator?.toLowerCase(),
      operand: inQuotes ?? word ?? '',
    }
  }
}

function termOf(state: ChatState, operator: string, operand: string): NarrowTerm | undefined {
  switch (operator) {
    case 'channel': {
      const id = channelNamed(state, operand)?.stream_id ?? idOf(operand)
      return id === undefined ? undefined : { operator, operand: id }
    }
    case 'topic':
      return { operator, operand }
    case 'sender':
    case 'dm-including':
    case 'mentions': {
      const id = operand === 'me' ? state.me : userNamed(state, operand)
      return id === undefined ? undefined : { operator, operand: id }
    }
    case 'dm': {
      const ids = operand.split(',').map((name) => userNamed(state, name.trim()))
      if (ids.includes(undefined)) return undefined
      return { operator, operand: peersOf(ids as number[], state.me) }
    }
    case 'is': {
      const known = IS_OPERANDS.find((one) => one === (operand === 'private' ? 'dm' : operand))
      return known && { operator, operand: known }
    }
    case 'has': {
      const known = HAS_OPERANDS.find((one) => one === operand || `${one}s` === operand)
      return known && { operator, operand: known }
    }
    case 'in':
      return operand === 'home' || operand === 'all' ? { operator, operand } : undefined
    case 'channels':
      return operand === 'public' || operand === 'web-public' ? { operator, operand } : undefined
    case 'id': {
      const id = idOf(operand)
      return id === undefined ? undefined : { operator, operand: id }
    }
    default:
      return undefined
  }
}

function userNamed(state: ChatState, name: string): number | undefined {
  const id = idOf(/\|(\d+)$/.exec(name)?.[1] ?? name)
  if (id !== undefined) return id
  const found = usersNamed(state, name)
  return (found.find(({ is_active }) => is_active) ?? found[0])?.user_id
}
