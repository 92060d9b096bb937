/** Parts of lines with their emphasis, and how they are written as Markdown. */

import { findAddresses } from '../../markdown/addresses.ts'
import { escapeLinkText, escapeName } from '../../markdown/mention-text.ts'
import { webAddress } from '../markdown.ts'
import { isEmoji, type SlackNames } from './emoji.ts'

/** Emphasis, as bits. The outermost is struck through: our parser finds its marks whatever is beside them. */
export const [BOLD, ITALIC, STRUCK] = [1, 2, 4] as const
const MARKS = [
  [STRUCK, '~~'],
  [BOLD, '**'],
  [ITALIC, '*'],
] as const

/** A part of a text. */
export interface Span {
  /** What was written, where `isMarkdown` is false; it may have several lines. */
  readonly text: string
  readonly isMarkdown: boolean
  /** The sum of BOLD, ITALIC and STRUCK. */
  readonly style: number
}

export function textSpan(text: string, style = 0): Span {
  return { text, isMarkdown: false, style }
}

export function markdownSpan(text: string, style = 0): Span {
  return { text, isMarkdown: true, style }
}

/** Returns spans as Markdown. What people wrote is shown as they wrote it: signs that would be markup only here become entities. */
export function written(spans: readonly Span[], names: SlackNames): string {
  return linesOf(spans)
    .map((line) => lineOf(line, names))
    .join('\n')
}

function linesOf(spans: readonly Span[]): Span[][] {
  const lines: Span[][] = [[]]
  for (const span of joined(spans)) {
    const [first = '', ...more] = span.isMarkdown ? [span.text] : span.text.split(/\r\n?|\n/)
    if (first !== '') lines.at(-1)!.push({ ...span, text: first })
    for (const text of more) lines.push(text === '' ? [] : [{ ...span, text }])
  }
  return lines
}

/** Joins neighbours of the same kind, since only a whole text shows what would be markup in it. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  let texts: string[] = []
  spans.forEach((span, at) => {
    texts.push(span.text)
    const next = spans[at + 1]
    if (next && !next.isMarkdown && !span.isMarkdown && next.style === span.style) return
    result.push({ ...span, text: texts.join('') })
    texts = []
  })
  return result
}

function lineOf(line: readonly Span[], names: SlackNames): string {
  const spans = withOneStyleAWord(withPlainEdges(line))
  const parts = spans.map((span) => ({
    markdown: span.isMarkdown ? span.text : escaped(span, names),
    style: span.style,
  }))
  const text = emphasized(parts, 0)
  return spans[0]?.isMarkdown === false && spans[0].style === 0 ? asText(text) : text
}

const STARS = BOLD | ITALIC

/** Gives neighbours without a blank between the same stars: which of several in a row begin something nobody could say. */
function withOneStyleAWord(line: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of line) {
    const before = result.at(-1)
    const isOther = before !== undefined && (before.style & STARS) !== 0 && (span.style & STARS) !== 0
    const stars = isOther ? before.style & STARS : span.style & STARS
    result.push({ ...span, style: (span.style & STRUCK) | stars })
  }
  return result
}

const EDGE = /^[\p{P}\p{S}\s]+/u
const WORD = /[\p{L}\p{N}]/u

/**
 * Takes blanks at the edges of emphasis out of it, and signs beside a letter: marks there would be stars. An emphasis of
 * blanks alone is none.
 */
function withPlainEdges(line: readonly Span[]): Span[] {
  return line.flatMap((span, at) => {
    if (span.isMarkdown || span.style === 0) return [span]
    const before = line[at - 1]
    const after = line[at + 1]
    const isWordBefore = before !== undefined && before.style !== span.style && WORD.test(lastSign(before))
    const isWordAfter = after !== undefined && after.style !== span.style && WORD.test(firstSign(after))
    const start = isWordBefore ? lengthOfEdge(span.text) : span.text.length - span.text.trimStart().length
    const rest = span.text.slice(start)
    const end =
      rest.length -
      (isWordAfter ? lengthOfEdge([...rest].reverse().join('')) : rest.length - rest.trimEnd().length)
    const pieces = [
      textSpan(span.text.slice(0, start)),
      textSpan(rest.slice(0, end), span.style),
      textSpan(rest.slice(end)),
    ]
    return pieces.filter(({ text }) => text !== '')
  })
}

function lengthOfEdge(text: string): number {
  return EDGE.exec(text)?.[0].length ?? 0
}

function firstSign({ text }: Span): string {
  return text.slice(0, 2)
}

function lastSign({ text }: Span): string {
  return text.slice(-1)
}

/** Puts marks around each row of parts that have them, from the outermost kind inwards. */
function emphasized(parts: readonly { markdown: string; style: number }[], depth: number): string {
  const kind = MARKS[depth]
  if (!kind) return parts.map(({ markdown }) => markdown).join('')
  const [bit, mark] = kind
  let text = ''
  for (let at = 0; at < parts.length; ) {
    const isMarked = (parts[at]!.style & bit) !== 0
    let end = at
    while (end < parts.length && ((parts[end]!.style & bit) !== 0) === isMarked) end += 1
    const inside = emphasized(parts.slice(at, end), depth + 1)
    text += isMarked ? mark + inside + mark : inside
    at = end
  }
  return text
}

const EMOJI = /^[\w+'-]{1,100}$/
const ENTITY = /^(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});/

/** Returns a text in one line as Markdown that shows the same. */
function escaped({ text, style }: Span, names: SlackNames): string {
  let result = ''
  for (let at = 0; at < text.length; at += 1) result += escapedSign(text, at, style, names)
  return result
}

function escapedSign(text: string, at: number, style: number, names: SlackNames): string {
  const sign = text[at]!
  const next = text[at + 1] ?? ''
  switch (sign) {
    case '`':
      return '&#96;'
    case '*':
      return text[at - 1] === ' ' && next === ' ' ? sign : '&#42;'
    case '~':
      // Any of them ends what two have struck through.
      return (style & STRUCK) !== 0 || ['~', ''].includes(next) || ['~', undefined].includes(text[at - 1])
        ? '&#126;'
        : sign
    case '$':
      return next === '$' || text[at - 1] === '$' ? '&#36;' : sign
    case '(':
      return text[at - 1] === ']' ? '&#40;' : sign
    case '<':
      return text.startsWith('<time:', at) ? '&lt;' : sign
    case '&':
      return ENTITY.test(text.slice(at + 1, at + 36)) ? '&amp;' : sign
    case ':': {
      const end = text.indexOf(':', at + 1)
      const name = end > 0 && end - at < 102 ? text.slice(at + 1, end) : ''
      return EMOJI.test(name) && isEmoji(name, names) ? '&#58;' : sign
    }
    case '\0':
      return ''
    default:
      return sign
  }
}

/** Escapes what would make a heading, a quotation, code or a list of bullets of the beginning of a line. */
function asText(line: string): string {
  const text = line.trimStart()
  const indent = line.slice(0, line.length - text.length).replaceAll('\t', '    ')
  const blanks = indent.length < 4 ? indent : indent.replace(/\s/g, '\u00a0')
  const first = text[0] ?? ''
  const isMarkup = first === '>' || (first === '#' && /^#{1,6}\s/.test(text)) || /^[+*]\s/.test(text)
  return blanks + (isMarkup ? `&#${first.charCodeAt(0)};${text.slice(1)}` : text)
}

/** Returns a link with a text that nothing in is markup, and in one line. */
export function linkTo(label: string, address: string): string {
  const text = escapeLinkText(label.replaceAll(/[\r\n]+/g, ' ')).trim()
  return `[${text || address}](${address})`
}

/**
 * Returns a link of a text. Without a label an address is written as it is if every reader finds its end, which depends on
 * `next`, the sign after it.
 */
export function linkOf(url: string, label: string, next: string, names: SlackNames): string {
  const reference = names.address(url)
  const shown = label.trim()
  if (reference !== undefined) return linkTo(shown || url, reference)
  if (/^(?:mailto|tel):/i.test(url)) return escapeName(shown || url.replace(/^\w+:/, ''))
  if (shown === '' || shown === url) {
    const [found] = findAddresses(url)
    const isWhole = found?.start === 0 && found.end === url.length
    if (isWhole && /^(?:$|[\s,;!?])/.test(next) && !/[*`]|~~|\$\$/.test(url)) return url
  }
  const address = webAddress(url)
  // Other addresses cannot be opened from a page: they are text.
  if (address === undefined) return escapeName(shown === '' || shown === url ? url : `${shown} (${url})`)
  return linkTo(shown || url, address)
}
