import { BadRequestError } from '../../../core/errors.ts'
import { countPoints, firstPoints, isLongerThan } from '../../../core/text-length.ts'
import { EMPTY_TOPIC_DISPLAY_NAME, NO_TOPIC } from '../../../rules/topic-rules.ts'

/** Limits in code points (docs/interface/conventions.md#limits). */
export const MAX_MESSAGE_LENGTH = 10_000
export const MAX_TOPIC_LENGTH = 60

const TRUNCATED = '\n[message truncated]'
const TOPIC_CUT = '...'

/**
 * Returns a message's source in its stored form: without white space at the end and empty lines at the
 * beginning, and cut, never refused, when it is too long (docs/interface/conventions.md#limits;
 * docs/interface/messages.md#send-a-message).
 */
export function normaliseContent(content: string): string {
  const trimmed = content.trimEnd().replace(/^\n+/u, '')
  if (trimmed === '') throw new BadRequestError('Message must not be empty')
  if (trimmed.includes('\0')) throw new BadRequestError('Message must not contain null bytes')
  return cut(trimmed, MAX_MESSAGE_LENGTH, TRUNCATED)
}

/** Returns a source cut to this number of characters, like that of every message. */
export function contentUpTo(content: string, limit: number): string {
  return cut(content, limit, TRUNCATED)
}

/**
 * Returns a topic in its stored form: both names of the empty topic become "", the rest is cut to the limit.
 * @throws BadRequestError for a character that cannot be shown.
 */
export function normaliseTopic(topic: string): string {
  const trimmed = topic.trim()
  requirePrintableTopic(trimmed)
  if (trimmed === NO_TOPIC || trimmed === EMPTY_TOPIC_DISPLAY_NAME) return ''
  return cut(trimmed, MAX_TOPIC_LENGTH, TOPIC_CUT)
}

export function cutTopic(topic: string): string {
  return cut(topic, MAX_TOPIC_LENGTH, TOPIC_CUT)
}

/**
 * Returns the first control character, surrogate or one of the 66 non-characters, which must not be in a name
 * (docs/interface/conventions.md#topics).
 */
export function firstUnprintable(text: string): number | undefined {
  const position = text.search(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u)
  return position === -1 ? undefined : countPoints(text.slice(0, position)) + 1
}

export function requirePrintableTopic(topic: string): void {
  const position = firstUnprintable(topic)
  if (position !== undefined)
    throw new BadRequestError(`Invalid character in topic, at position ${position}!`)
}

function cut(text: string, limit: number, suffix: string): string {
  return isLongerThan(text, limit) ? firstPoints(text, limit - suffix.length) + suffix : text
}
