import type { Conversation } from './conversation.ts'
import { topicKey } from './conversation.ts'

/** A term, with operands in one form: ids, never names. */
export type NarrowTerm = { readonly negated?: boolean } & (
  | { readonly operator: 'channel'; readonly operand: number }
  | { readonly operator: 'topic'; readonly operand: string }
  /** The peers, ascending, as in `Conversation`. */
  | { readonly operator: 'dm'; readonly operand: readonly number[] }
  | { readonly operator: 'dm-including' | 'sender' | 'mentions' | 'id'; readonly operand: number }
  | { readonly operator: 'is'; readonly operand: IsOperand }
  | { readonly operator: 'has'; readonly operand: HasOperand }
  | { readonly operator: 'in'; readonly operand: 'home' | 'all' }
  | { readonly operator: 'channels'; readonly operand: 'public' | 'web-public' }
  | { readonly operator: 'search'; readonly operand: string }
)

export const IS_OPERANDS = [
  'dm',
  'starred',
  'unread',
  'mentioned',
  'alerted',
  'resolved',
  'followed',
  'muted',
] as const
export type IsOperand = (typeof IS_OPERANDS)[number]

export const HAS_OPERANDS = ['attachment', 'image', 'link', 'reaction'] as const
type HasOperand = (typeof HAS_OPERANDS)[number]

/** Days as `2026-11-27`: messages from the first on, and up to the second, without it. */
export interface SearchRange {
  readonly after?: string
  readonly before?: string
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** All terms must match; none is the combined feed. */
export type Narrow = readonly NarrowTerm[]

export const COMBINED_FEED: Narrow = []
export const MENTIONS: Narrow = [{ operator: 'is', operand: 'mentioned' }]
export const STARRED: Narrow = [{ operator: 'is', operand: 'starred' }]
export const DIRECT_MESSAGES: Narrow = [{ operator: 'is', operand: 'dm' }]

export function channelNarrow(channelId: number): Narrow {
  return [{ operator: 'channel', operand: channelId }]
}

export function topicNarrow(channelId: number, topic: string): Narrow {
  return [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: topic },
  ]
}

export function narrowOf(conversation: Conversation): Narrow {
  return conversation.kind === 'topic'
    ? topicNarrow(conversation.channelId, conversation.topic)
    : [{ operator: 'dm', operand: conversation.peers }]
}

/** Returns the one conversation that the narrow shows completely; undefined for other selections. */
export function conversationOfNarrow(narrow: Narrow): Conversation | undefined {
  if (narrow.some(({ negated }) => negated)) return undefined
  if (narrow.length === 1 && narrow[0]!.operator === 'dm') {
    return { kind: 'direct', peers: narrow[0]!.operand as readonly number[] }
  }
  if (narrow.length !== 2) return undefined
  const channelId = channelOfNarrow(narrow)
  const topic = narrow.find(({ operator }) => operator === 'topic')?.operand
  return channelId === undefined || typeof topic !== 'string'
    ? undefined
    : { kind: 'topic', channelId, topic }
}

/** Returns the channel of all of the narrow's messages. */
export function channelOfNarrow(narrow: Narrow): number | undefined {
  const term = narrow.find(({ operator, negated }) => operator === 'channel' && !negated)
  return term?.operand as number | undefined
}

export function topicOfNarrow(narrow: Narrow): string | undefined {
  const term = narrow.find(({ operator, negated }) => operator === 'topic' && !negated)
  return term?.operand as string | undefined
}

/** Whether a narrow is a view with a name: a channel, a topic, people, one of the views. Anything else is a search. */
export function isNamedView(narrow: Narrow): boolean {
  return narrow.every(
    ({ operator, negated }) =>
      !negated &&
      (operator === 'channel' ||
        operator === 'topic' ||
        operator === 'dm' ||
        (operator === 'is' && narrow.length === 1)),
  )
}

export function isSearch(narrow: Narrow): boolean {
  return narrow.some(({ operator }) => operator === 'search')
}

/** Returns one text for one narrow, regardless of the order of its terms, and the case of a topic. */
export function narrowKey(narrow: Narrow): string {
  return narrow
    .map(({ operator, operand, negated }) => {
      const value = operator === 'topic' ? topicKey(operand as string) : operand
      return `${negated ? '-' : ''}${operator}:${JSON.stringify(value)}`
    })
    .sort()
    .join(' ')
}

/**
 * Returns a narrow in the form for `narrow` parameters. A message with `with` stands for its present
 * conversation.
 */
export function narrowParameter(narrow: Narrow, { with: withId }: { with?: number } = {}) {
  return [
    ...narrow.map(({ operator, operand, negated }) => ({
      operator,
      operand,
      ...(negated ? { negated } : {}),
    })),
    ...(withId === undefined ? [] : [{ operator: 'with', operand: withId }]),
  ]
}
