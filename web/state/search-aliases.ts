import { isDay, type SearchRange } from './narrow.ts'

/** One term in the operators of the page. */
export interface WrittenTerm {
  readonly operator: string
  readonly operand: string
  readonly negated?: true
}

/** All of these terms together are one way to read what was typed. */
export type Reading = readonly WrittenTerm[]

/** Operators that other apps and older clients have, beside those of the page. */
export const OTHER_OPERATORS = ['from', 'to', 'with', 'stream', 'streams', 'pm-with'] as const

const SAME: Readonly<Record<string, string>> = {
  from: 'sender',
  stream: 'channel',
  streams: 'channels',
  'pm-with': 'dm',
  with: 'dm-including',
}

const KINDS: Readonly<Record<string, string>> = {
  file: 'attachment',
  files: 'attachment',
  img: 'image',
  photo: 'image',
  photos: 'image',
  pic: 'image',
  pics: 'image',
  picture: 'image',
  pictures: 'image',
  url: 'link',
}

/**
 * Returns the ways to read a term, the likeliest first. People write as in other apps: `in:general`, `in:@tomas`, `from:@tomas`, `to:me`,
 * `has:file`, `@tomas`, `#general`.
 */
export function readingsOf(written: string | undefined, operand: string): readonly Reading[] {
  const [sign, name] = /^[@#]/.test(operand) ? [operand[0], operand.slice(1)] : ['', operand]
  const of = (operator: string, value = name): WrittenTerm => ({ operator, operand: value })
  if (written === undefined) {
    if (sign === '' || name === '') return []
    // The number of an issue is no channel.
    if (/^\d+$/.test(name)) return []
    return sign === '#' ? [[of('channel')]] : [[name === 'me' ? of('is', 'mentioned') : of('mentions')]]
  }
  const operator = SAME[written] ?? written
  switch (operator) {
    case 'in':
      if (sign === '' && (name === 'home' || name === 'all')) return [[of('in')]]
      return sign === '@' ? [[of('dm')]] : sign === '#' ? [[of('channel')]] : [[of('channel')], [of('dm')]]
    case 'to': {
      if (name === 'me') return [[of('is', 'dm'), { ...of('sender', 'me'), negated: true }]]
      const toPerson = [of('dm-including'), of('sender', 'me')]
      return sign === '@' ? [toPerson] : sign === '#' ? [[of('channel')]] : [toPerson, [of('channel')]]
    }
    case 'has':
      return [[operand === 'star' ? of('is', 'starred') : of('has', KINDS[operand] ?? operand)]]
    case 'is':
      if (operand === 'read') return [[{ ...of('is', 'unread'), negated: true }]]
      return [[of('is', operand === 'saved' ? 'starred' : operand)]]
    case 'sender':
    case 'dm':
    case 'dm-including':
    case 'mentions':
      return [[of(operator, operand.replaceAll('@', ''))]]
    case 'channel':
      return [[of(operator, sign === '#' ? name : operand)]]
    default:
      return [[of(operator, operand)]]
  }
}

/** Operators with days: all that was sent `on` or `during` them, or on one side of them. */
export const DAY_OPERATORS = ['after', 'before', 'on', 'during'] as const

/** Returns the days that such a term means: `after:2026-11-01`, `on:yesterday`, `during:2026-11`. */
export function rangeOf(
  operator: string | undefined,
  operand: string,
  now = new Date(),
): SearchRange | undefined {
  if (!DAY_OPERATORS.some((one) => one === operator)) return undefined
  const span = spanOf(operand.toLowerCase(), now)
  if (!span) return undefined
  const [first, next] = span.map(dayOf) as [string, string]
  if (operator === 'after') return { after: first }
  return operator === 'before' ? { before: first } : { after: first, before: next }
}

/** Returns the first day, and the one after the last. */
function spanOf(words: string, now: Date): readonly [Date, Date] | undefined {
  const [thisYear, thisMonth, today] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const since = (days: number, length = days + 1) =>
    [
      new Date(thisYear, thisMonth, today - days),
      new Date(thisYear, thisMonth, today - days + length),
    ] as const
  switch (words) {
    case 'today':
      return since(0)
    case 'yesterday':
      return since(1, 1)
    case 'week':
      return since(6)
    case 'month':
      return since(29)
  }
  const [, year, month, date] = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/.exec(words) ?? []
  if (year === undefined) return undefined
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(date ?? 1)]
  const first = new Date(y, m, d)
  const isReal = isDay(dayOf(first)) && first.getMonth() === m && first.getDate() === d
  if (!isReal) return undefined
  if (date !== undefined) return [first, new Date(y, m, d + 1)]
  return [first, month === undefined ? new Date(y + 1, 0, 1) : new Date(y, m + 1, 1)]
}

/** Returns `2026-11-27` in the browser's time zone. */
export function dayOf(day: Date): string {
  const [month, date] = [day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${String(day.getFullYear()).padStart(4, '0')}-${month}-${date}`
}
