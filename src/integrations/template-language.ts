/**
 * The template language: text with `{{a.b.0.c}}` for values of a payload, and `{{a | filter: argument}}`. It has no conditions, loops or
 * code, so the cost of a template is known from its length.
 */
import { firstPoints, isLongerThan } from '../core/text-length.ts'
import { escapeLinkText } from '../markdown/mention-text.ts'
import { bullets, code, oneLine, quote, webAddress } from './markdown.ts'
import type { Payload } from './payload.ts'

/** Limit of the values in a template. */
const MAX_VALUES = 100
const MAX_FILTERS = 5
/** Limit of the list items shown. */
const MAX_ITEMS = 20
/** Limits of one value, and of a template's output, in code points. */
const VALUE_LENGTH = 5_000
const WHOLE_LENGTH = 11_000
/** A link without an address in the payload. */
const LINK_TO_NOTHING = /\[([^[\]]*)\]\(\)/g
/** The part before an address in a link. */
const BEFORE_ADDRESS = ']('

/** An invalid template. The message says what is wrong, after “Invalid template: ”. */
export class TemplateError extends Error {}

interface Filter {
  readonly name: FilterName
  /** '' without one. */
  readonly argument: string
}

interface Value {
  readonly path: readonly string[]
  readonly filters: readonly Filter[]
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

/** A value between filters: part of the payload, a text not yet Markdown, or Markdown. */
type Shown = { readonly value: Payload } | { readonly text: string } | { readonly markdown: string }

/** The effect of each filter on its input. */
const FILTERS = {
  /** Seconds or milliseconds since 1970, or a date, shown in the reader's own zone. */
  time: (shown: Shown) => {
    const moment = momentOf(shown)
    return moment === undefined ? shown : { markdown: `<time:${moment}>` }
  },
  /** A list with a line for each item, or for one field of each item. */
  list: (shown: Shown, argument: string) => {
    if (!('value' in shown)) return shown
    const items = shown.value.firstItems(MAX_ITEMS)
    const path = argument === '' ? [] : argument.split('.')
    const lines = items.map((item) => escapeLinkText(oneLine(item.text(...path))))
    const left = items.length === MAX_ITEMS ? shown.value.count() - MAX_ITEMS : 0
    const more = left > 0 ? [`and ${left} more`] : []
    return { markdown: bullets([...lines.filter((line) => line !== ''), ...more]) }
  },
  /** A text that replaces an absent or empty value. */
  default: (shown: Shown, argument: string) => (textOf(shown).trim() === '' ? { text: argument } : shown),
  /** The service's own Markdown. */
  raw: (shown: Shown) => ({ markdown: firstPoints(textOf(shown), VALUE_LENGTH) }),
  quote: (shown: Shown) => ({ markdown: quote(textOf(shown)) }),
  code: (shown: Shown) => ({ markdown: code(textOf(shown)) }),
} as const satisfies Readonly<Record<string, (shown: Shown, argument: string) => Shown>>

type FilterName = keyof typeof FILTERS

/** The filters whose output has lines of its own. */
const BLOCKS: ReadonlySet<FilterName> = new Set(['list', 'quote'])

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
    parts.push(valueIn(text.slice(start + 2, end), before.endsWith(BEFORE_ADDRESS)))
    values += 1
    if (values > MAX_VALUES) throw new TemplateError(`it has more than ${MAX_VALUES} values.`)
    at = end + 2
  }
  return at < text.length ? [...parts, text.slice(at)] : parts
}

function valueIn(source: string, isAddress: boolean): Value {
  const [path = '', ...filters] = source.split('|').map((piece) => piece.trim())
  if (path === '' || /\s/.test(path)) throw new TemplateError(`{{${oneLine(source, 50)}}} names no value.`)
  if (filters.length > MAX_FILTERS) throw new TemplateError(`a value has more than ${MAX_FILTERS} filters.`)
  // A single dot is the whole payload.
  return { path: path === '.' ? [] : path.split('.'), filters: filters.map(filterOf), isAddress }
}

function filterOf(source: string): Filter {
  const colon = source.indexOf(':')
  const name = (colon < 0 ? source : source.slice(0, colon)).trim()
  const argument = colon < 0 ? '' : source.slice(colon + 1).trim()
  if (!Object.hasOwn(FILTERS, name)) throw new TemplateError(`there is no filter ${oneLine(name, 50)}.`)
  const isQuoted = argument.length > 1 && argument.startsWith('"') && argument.endsWith('"')
  return { name: name as FilterName, argument: isQuoted ? argument.slice(1, -1) : argument }
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
  let text = ''
  let isAfterBlock = false
  for (const part of template) {
    if (isLongerThan(text, WHOLE_LENGTH)) break
    const piece = typeof part === 'string' ? part : markdownOf(part, payload)
    if (piece === '') continue
    const isBlock = typeof part !== 'string' && part.filters.some(({ name }) => BLOCKS.has(name))
    if ((isBlock || isAfterBlock) && text !== '' && !text.endsWith('\n') && !piece.startsWith('\n'))
      text += '\n'
    text += piece
    isAfterBlock = isBlock
  }
  return firstPoints(text, WHOLE_LENGTH).replaceAll(LINK_TO_NOTHING, '$1')
}

function markdownOf(part: Value, payload: Payload): string {
  const shown = filtered(part, payload)
  if (part.isAddress) return webAddress(textOf(shown)) ?? ''
  return 'markdown' in shown ? shown.markdown : escapeLinkText(oneLine(textOf(shown), VALUE_LENGTH))
}

/** Fills in a template as plain text on one line. */
export function fillInPlain(template: Template, payload: Payload): string {
  let text = ''
  for (const part of template) {
    if (text.length > WHOLE_LENGTH) break
    text += typeof part === 'string' ? part : textOf(filtered(part, payload))
  }
  return oneLine(text)
}

function filtered({ path, filters }: Value, payload: Payload): Shown {
  const shown: Shown = { value: payload.at(...path) }
  return filters.reduce((before: Shown, { name, argument }): Shown => FILTERS[name](before, argument), shown)
}

function textOf(shown: Shown): string {
  if ('text' in shown) return shown.text
  return 'markdown' in shown ? shown.markdown : shown.value.text()
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
