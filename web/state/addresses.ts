import { peersOf } from './conversation.ts'
import { decodeOperand, encodeOperand } from './hash-encoding.ts'
import { HAS_OPERANDS, IS_OPERANDS, isDay, type Narrow, type NarrowTerm, type SearchRange } from './narrow.ts'

/**
 * The view of an address. `near`: the message at which it opens; `with`: the message whose present
 * conversation is meant.
 */
export type Address =
  | { readonly view: 'home' }
  | {
      readonly view: 'narrow'
      readonly narrow: Narrow
      readonly near?: number
      readonly with?: number
      /** The days of a search, and whether it begins with the oldest message. */
      readonly range?: SearchRange
      readonly isOldestFirst?: true
    }
  /** What was shared in the messages of a narrow, which has a `has` term for the kind. */
  | { readonly view: 'files'; readonly narrow: Narrow }
  | {
      readonly view:
        | 'inbox'
        | 'recent'
        | 'activity'
        | 'drafts'
        | 'scheduled'
        | 'reminders'
        | 'people'
        | 'help'
    }
  /** `settings`, `organization`, `channels`, `groups`, `user`: the parts after it, decoded. */
  | { readonly view: SubView; readonly path: readonly string[] }
  | { readonly view: 'unknown'; readonly fragment: string }

const SUB_VIEWS = ['settings', 'organization', 'channels', 'groups', 'user'] as const
type SubView = (typeof SUB_VIEWS)[number]

const PLAIN_VIEWS = [
  'inbox',
  'recent',
  'activity',
  'drafts',
  'scheduled',
  'reminders',
  'people',
  'help',
] as const

/** Names in addresses, and what they stand for. */
export interface AddressNames {
  readonly me: number
  /** Finds a channel by name, whatever its case. */
  channelNamed(name: string): number | undefined
  /** Undefined for an unknown channel, whose address has only the id. */
  channelName(id: number): string | undefined
  userName(id: number): string | undefined
}

/**
 * Reads an address. `fragment` with or without its `#`. Older forms, of other clients too, are read as well;
 * one form is written.
 */
export function parseAddress(fragment: string, names: AddressNames): Address {
  const text = fragment.replace(/^#/, '').replace(/\/+$/, '')
  if (text === '') return { view: 'home' }
  const [first = '', ...rest] = text.split('/')
  if (first === 'narrow') return parseNarrow(rest, names) ?? { view: 'unknown', fragment: text }
  if (first === 'files') {
    const parsed = parseNarrow(rest, names)
    return parsed?.view === 'narrow'
      ? { view: 'files', narrow: parsed.narrow }
      : { view: 'unknown', fragment: text }
  }
  if (first === 'feed' || first === 'all_messages') return { view: 'narrow', narrow: [] }
  if (first === 'recent_topics') return { view: 'recent' }
  if (first === 'streams') return { view: 'channels', path: decodeAll(rest) }
  const sub = SUB_VIEWS.find((view) => view === first)
  if (sub) return { view: sub, path: decodeAll(rest) }
  const plain = PLAIN_VIEWS.find((view) => view === first)
  return plain ? { view: plain } : { view: 'unknown', fragment: text }
}

/** Returns the text of an address, with its `#`. */
export function printAddress(address: Address, names: AddressNames): string {
  switch (address.view) {
    case 'home':
      return '#'
    case 'narrow':
      return printNarrow(address, names)
    case 'files':
      return `#${['files', ...partsOf(address.narrow, names)].join('/')}`
    case 'unknown':
      return `#${address.fragment}`
    default: {
      const path = 'path' in address ? address.path : []
      return `#${[address.view, ...path.map(encodeOperand)].join('/')}`
    }
  }
}

/** Returns the address of a narrow; `near`: of a message in it. */
export function addressOf(narrow: Narrow, names: AddressNames, near?: number): string {
  return printAddress({ view: 'narrow', narrow, ...(near === undefined ? {} : { near }) }, names)
}

function decodeAll(parts: readonly string[]): string[] {
  return parts.map((part) => decodeOperand(part) ?? part)
}

function parseNarrow(parts: readonly string[], names: AddressNames): Address | undefined {
  const narrow: NarrowTerm[] = []
  let near: number | undefined
  let withId: number | undefined
  let range: SearchRange = {}
  let isOldestFirst = false
  let isUnderstood = true
  for (let index = 0; index < parts.length; index += 2) {
    const raw = parts[index]!
    const operator = raw.replace(/^-/, '')
    const encoded = parts[index + 1] ?? ''
    // Other clients write searches as forms do, with a plus for a space.
    const operand = decodeOperand(operator === 'search' ? encoded.replaceAll('+', '.20') : encoded)
    const term =
      operand === undefined || operator === 'near' || operator === 'with'
        ? undefined
        : parseTerm(operator, operand, names)
    if (term) narrow.push(raw.startsWith('-') ? { ...term, negated: true } : term)
    else if (operator === 'near') near = idOf(operand ?? '')
    else if (operator === 'with') withId = idOf(operand ?? '')
    else if ((raw === 'after' || raw === 'before') && isDay(encoded)) range = { ...range, [raw]: encoded }
    else if (raw === 'order' && encoded === 'oldest') isOldestFirst = true
    else isUnderstood = false
  }
  // The message is found without the other terms, like a channel under its former name.
  if (!isUnderstood && near === undefined && withId === undefined) return undefined
  return {
    view: 'narrow',
    narrow: isUnderstood ? narrow : [],
    ...(near === undefined ? {} : { near }),
    ...(withId === undefined ? {} : { with: withId }),
    ...(Object.keys(range).length === 0 ? {} : { range }),
    ...(isOldestFirst ? { isOldestFirst } : {}),
  }
}

function parseTerm(operator: string, operand: string, names: AddressNames): NarrowTerm | undefined {
  switch (operator) {
    case 'channel':
    case 'stream': {
      const id =
        leadingId(operand) ?? names.channelNamed(operand) ?? names.channelNamed(operand.replaceAll('-', ' '))
      return id === undefined ? undefined : { operator: 'channel', operand: id }
    }
    case 'topic':
    case 'subject':
      return { operator: 'topic', operand }
    case 'dm':
    case 'pm-with': {
      const ids = /^(\d+(?:,\d+)*)(?:-.*)?$/.exec(operand)?.[1]
      if (ids === undefined) return undefined
      return { operator: 'dm', operand: peersOf(ids.split(',').map(Number), names.me) }
    }
    case 'dm-including':
    case 'sender':
    case 'mentions':
    case 'id': {
      const id = leadingId(operand)
      return id === undefined ? undefined : { operator, operand: id }
    }
    case 'is': {
      const wanted = operand === 'private' ? 'dm' : operand
      const known = IS_OPERANDS.find((one) => one === wanted)
      return known && { operator: 'is', operand: known }
    }
    case 'has': {
      // Some clients write `has:links`.
      const known = HAS_OPERANDS.find((one) => one === operand || `${one}s` === operand)
      return known && { operator: 'has', operand: known }
    }
    case 'in':
      return operand === 'home' || operand === 'all' ? { operator: 'in', operand } : undefined
    case 'channels':
    case 'streams':
      return operand === 'public' || operand === 'web-public' ? { operator: 'channels', operand } : undefined
    case 'search':
      return operand.trim() === '' ? undefined : { operator: 'search', operand }
    default:
      return undefined
  }
}

function printNarrow(
  { narrow, near, with: withId, range = {}, isOldestFirst }: Extract<Address, { view: 'narrow' }>,
  names: AddressNames,
): string {
  const parts = partsOf(narrow, names)
  if (range.after !== undefined) parts.push('after', range.after)
  if (range.before !== undefined) parts.push('before', range.before)
  if (isOldestFirst) parts.push('order', 'oldest')
  if (withId !== undefined) parts.push('with', String(withId))
  if (near !== undefined) parts.push('near', String(near))
  return parts.length === 0 ? '#feed' : `#narrow/${parts.join('/')}`
}

function partsOf(narrow: Narrow, names: AddressNames): string[] {
  return narrow.flatMap((term) => [`${term.negated ? '-' : ''}${term.operator}`, printOperand(term, names)])
}

function printOperand(term: NarrowTerm, names: AddressNames): string {
  switch (term.operator) {
    case 'channel':
      return idAndName(term.operand, names.channelName(term.operand))
    case 'dm':
      return `${term.operand.join()}-${term.operand.length > 1 ? 'group' : slugOf(names.userName(term.operand[0]!) ?? 'dm')}`
    case 'sender':
    case 'dm-including':
    case 'mentions':
      return idAndName(term.operand, names.userName(term.operand))
    default:
      return encodeOperand(String(term.operand))
  }
}

function idAndName(id: number, name: string | undefined): string {
  return name === undefined ? String(id) : `${id}-${slugOf(name)}`
}

function slugOf(name: string): string {
  return encodeOperand(name.replaceAll(/\s+/g, '-'))
}

/** Returns the number in `12`, or `12-general`. */
function leadingId(operand: string): number | undefined {
  const digits = /^(\d{1,15})(?:-.*)?$/s.exec(operand)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

function idOf(operand: string): number | undefined {
  return /^\d{1,15}$/.test(operand) ? Number(operand) : undefined
}
