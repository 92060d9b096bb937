/**
 * The template language: text with `{{a.b.0.c}}` for values of a payload, and `{{a | filter: argument}}`. It has no loops or code, so the cost of a template is known from its length.
 */
import { firstPoints, isLongerThan } from '../core/text-length.ts'
import { escapeLinkText } from '../markdown/mention-text.ts'
import {
  bold,
  bullets,
  code,
  count,
  enumeration,
  firstLine,
  oneLine,
  quote,
  textOfHtml,
  webAddress,
} from './markdown.ts'
import { lookUp, type Payload } from './payload.ts'

/** Limit of the values in a template. */
const MAX_VALUES = 100
const MAX_FILTERS = 5
/** Limit of the list items shown. */
const MAX_ITEMS = 20
/** Limits of one value, and of a template's output, in code points. */
const VALUE_LENGTH = 5_000
const WHOLE_LENGTH = 11_000
/** Limit of a state's name, in code points. */
const WORDS_LENGTH = 250
/** A link without an address in the payload. */
const LINK_TO_NOTHING = /\[([^[\]]*)\]\(\)/g
/** The part before an address in a link. */
const BEFORE_ADDRESS = ']('

/** An invalid template. The message says what is wrong, after “Invalid template: ”. */
export class TemplateError extends Error {}

/** A value between filters: part of the payload, a text not yet Markdown, or Markdown. */
export type Shown = { readonly value: Payload } | { readonly text: string } | { readonly markdown: string }

/** Where the values of a template come from. */
export interface Source {
  at(path: readonly string[]): Shown
}

/** Returns what a filter makes of a value. */
export type Apply<From extends Source = Source> = (shown: Shown, argument: string, source: From) => Shown

interface Filter<From extends Source> {
  readonly name: string
  /** '' without one. */
  readonly argument: string
  readonly apply: Apply<From>
}

export interface Value<From extends Source = Source> {
  readonly path: readonly string[]
  readonly filters: readonly Filter<From>[]
  /** Whether it is the target of a link. */
  readonly isAddress: boolean
}

type Part = string | Value
export type Template = readonly Part[]

/** A template by a bot's owner, for posts without an integration. */
export interface MessageTemplate {
  readonly topic: Template
  readonly text: Template
}

/** The filters, by name. */
export const FILTERS: Readonly<Record<string, Apply>> = {
  /** Seconds or milliseconds since 1970, or a date, shown in the reader's own zone. */
  time: (shown) => {
    const moment = momentOf(shown)
    return moment === undefined ? shown : { markdown: `<time:${moment}>` }
  },
  /** A list with a line for each item, or for one field of each item. */
  list: (shown, argument) => {
    if (!('value' in shown)) return shown
    const items = shown.value.firstItems(MAX_ITEMS)
    const path = argument === '' ? [] : argument.split('.')
    const lines = items.map((item) => escapeLinkText(oneLine(item.text(...path))))
    const left = items.length === MAX_ITEMS ? shown.value.count() - MAX_ITEMS : 0
    const more = left > 0 ? [`and ${left} more`] : []
    return { markdown: bullets([...lines.filter((line) => line !== ''), ...more]) }
  },
  /** The number of items, with a word for them: `2 commits`. */
  count: (shown, argument) => {
    if (!('value' in shown)) return shown
    const number = shown.value.count()
    return { text: argument === '' ? String(number) : count(number, argument) }
  },
  /** The items of a list, or a field of each, in one line: `A, B and C`. A text stays. */
  join: (shown, argument) => {
    if (!('value' in shown)) return shown
    const path = argument === '' ? [] : pathOf(argument)
    const names = shown.value.firstItems(MAX_ITEMS).map((item) => oneLine(item.text(...path)))
    const left = shown.value.count() - MAX_ITEMS
    const some = [...names.filter((name) => name !== ''), ...(left > 0 ? [`${left} more`] : [])]
    return some.length === 0 ? shown : { text: enumeration(some, MAX_ITEMS + 1) }
  },
  /** A text that replaces an absent or empty value. */
  default: (shown, argument) => (isEmpty(shown) ? { text: argument } : shown),
  /** Another value in place of an absent or empty one. */
  or: (shown, argument, source) => (isEmpty(shown) ? source.at(pathOf(argument)) : shown),
  /** A text that replaces a value that is there, whatever it is. */
  means: (shown, argument) => {
    const isThere = 'value' in shown ? shown.value.has() : !isEmpty(shown)
    return { text: isThere ? argument : '' }
  },
  /** The name of a state in words: `IN_PROGRESS` becomes `in progress`. */
  words: (shown) => ({
    text: firstPoints(textOf(shown), WORDS_LENGTH)
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .replaceAll(/[\s_-]+/g, ' ')
      .trim()
      .toLowerCase(),
  }),
  /** The first line. */
  line: (shown) => ({ text: firstLine(textOf(shown)) }),
  /** The first characters. */
  first: (shown, argument) => ({ text: firstPoints(textOf(shown), Number(argument) || 0) }),
  /** What stands before the first occurrence of a text; all without it. */
  before: (shown, argument) => ({ text: textOf(shown).split(argument, 1)[0]! }),
  /** What stands after the first occurrence of a text; all without it. */
  after: (shown, argument) => {
    const text = textOf(shown)
    const at = text.indexOf(argument)
    return { text: at < 0 ? text : text.slice(at + argument.length) }
  },
  /** What stands after the last occurrence of a text; all without it. */
  last: (shown, argument) => {
    const text = textOf(shown)
    const at = argument === '' ? -1 : text.lastIndexOf(argument)
    return { text: at < 0 ? text : text.slice(at + argument.length) }
  },
  /** The text without all occurrences of another. */
  without: (shown, argument) => ({ text: textOf(shown).replaceAll(argument, '') }),
  /** The text of HTML. */
  text: (shown) => ({ text: textOfHtml(textOf(shown)) }),
  /** The service's own Markdown. */
  raw: (shown) => ({ markdown: firstPoints(textOf(shown), VALUE_LENGTH) }),
  quote: (shown) => ({ markdown: quote(textOf(shown)) }),
  code: (shown) => ({ markdown: code(textOf(shown)) }),
  bold: (shown) => ({ markdown: bold(textOf(shown)) }),
}

/** The filters whose output has lines of its own. */
const BLOCKS: ReadonlySet<string> = new Set(['list', 'quote'])

/** @throws TemplateError */
export function parseTemplate(text: string): Template {
  const parts: Part[] = []
  let [at, values] = [0, 0]
  for (;;) {
    const start = text.indexOf('{{', at)
    if (start < 0) break
    const end = text.indexOf('}}', start)
    if (end < 0) throw new TemplateError('a value has no end: }} is missing.')
    const before = text.slice(at, start)
    if (before !== '') parts.push(before)
    parts.push(valueIn(text.slice(start + 2, end), FILTERS, before.endsWith(BEFORE_ADDRESS)))
    values += 1
    if (values > MAX_VALUES) throw new TemplateError(`it has more than ${MAX_VALUES} values.`)
    at = end + 2
  }
  return at < text.length ? [...parts, text.slice(at)] : parts
}

/** Reads what stands between the braces of a value. @throws TemplateError */
export function valueIn<From extends Source>(
  source: string,
  known: Readonly<Record<string, Apply<From>>>,
  isAddress = false,
): Value<From> {
  const [path = '', ...filters] = source.split('|').map((piece) => piece.trim())
  if (path === '' || /\s/.test(path)) throw new TemplateError(`{{${oneLine(source, 50)}}} names no value.`)
  if (filters.length > MAX_FILTERS) throw new TemplateError(`a value has more than ${MAX_FILTERS} filters.`)
  return { path: pathOf(path), filters: filters.map((filter) => filterOf(filter, known)), isAddress }
}

/** The dots between names; a dot of a name follows a backslash. */
const DOT = /(?<!\\)\./

/** A single dot is the whole payload. */
function pathOf(path: string): string[] {
  return path === '.' ? [] : path.split(DOT).map((name) => name.replaceAll('\\.', '.'))
}

function filterOf<From extends Source>(
  source: string,
  known: Readonly<Record<string, Apply<From>>>,
): Filter<From> {
  const colon = source.indexOf(':')
  const name = (colon < 0 ? source : source.slice(0, colon)).trim()
  const argument = colon < 0 ? '' : source.slice(colon + 1).trim()
  const apply = lookUp(known, name)
  if (!apply) throw new TemplateError(`there is no filter ${oneLine(name, 50)}.`)
  const isQuoted = argument.length > 1 && argument.startsWith('"') && argument.endsWith('"')
  return { name, argument: isQuoted ? argument.slice(1, -1) : argument, apply }
}

/** Returns a stored template, which was checked when it was saved. */
export function templateOf(settings: {
  readonly topicTemplate: string
  readonly textTemplate: string
}): MessageTemplate {
  return { topic: parseTemplate(settings.topicTemplate), text: parseTemplate(settings.textTemplate) }
}

/** Fills in a template as Markdown. Values of the payload are not markup, unless a filter says so. */
export function fillIn(template: Template, payload: Payload): string {
  const source = sourceOf(payload)
  let text = ''
  let isAfterBlock = false
  for (const part of template) {
    if (isLongerThan(text, WHOLE_LENGTH)) break
    const piece = typeof part === 'string' ? part : markdownOf(part, source)
    if (piece === '') continue
    const isBlock = typeof part !== 'string' && part.filters.some(({ name }) => BLOCKS.has(name))
    if ((isBlock || isAfterBlock) && text !== '' && !text.endsWith('\n') && !piece.startsWith('\n'))
      text += '\n'
    text += piece
    isAfterBlock = isBlock
  }
  return firstPoints(text, WHOLE_LENGTH).replaceAll(LINK_TO_NOTHING, '$1')
}

function markdownOf(part: Value, source: Source): string {
  const shown = filtered(part, source)
  if (part.isAddress) return webAddress(textOf(shown)) ?? ''
  return 'markdown' in shown ? shown.markdown : escapeLinkText(oneLine(textOf(shown), VALUE_LENGTH))
}

/** Fills in a template as plain text on one line. */
export function fillInPlain(template: Template, payload: Payload): string {
  const source = sourceOf(payload)
  let text = ''
  for (const part of template) {
    if (text.length > WHOLE_LENGTH) break
    text += typeof part === 'string' ? part : textOf(filtered(part, source))
  }
  return oneLine(text)
}

function sourceOf(payload: Payload): Source {
  return { at: (path) => ({ value: payload.at(...path) }) }
}

/** Returns a value after its filters. */
export function filtered<From extends Source>({ path, filters }: Value<From>, source: From): Shown {
  return filters.reduce(
    (before: Shown, { argument, apply }) => apply(before, argument, source),
    source.at(path),
  )
}

export function textOf(shown: Shown): string {
  if ('text' in shown) return shown.text
  return 'markdown' in shown ? shown.markdown : shown.value.text()
}

function isEmpty(shown: Shown): boolean {
  return textOf(shown).trim() === ''
}

/** Limit of a time, in UTF-16 units: longer texts are none. */
const MOMENT_LENGTH = 100
/** The smallest number taken as milliseconds: as seconds it would be in the year 5138. */
const MILLISECONDS_FROM = 1e11

/** Returns a time in the format of `<time:…>`; undefined if it is not a time. */
export function momentOf(shown: Shown): string | undefined {
  const text = textOf(shown)
  if (text.length > MOMENT_LENGTH) return undefined
  const number = text.trim() === '' ? Number.NaN : Number(text)
  const at = Number.isNaN(number) ? Date.parse(text) : number >= MILLISECONDS_FROM ? number : number * 1_000
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? undefined : `${date.toISOString().slice(0, 19)}Z`
}
