/** Text spans with emphasis, and their conversion to Markdown. */

import { findAddresses } from '../../markdown/addresses.ts'
import { escapeLinkText, escapeName } from '../../markdown/mention-text.ts'
import { webAddress } from '../markdown.ts'
import { isEmoji, type SlackNames } from './emoji.ts'

/** Emphasis, as bits. Strikethrough is outermost, since our parser finds its marks in any context. */
export const [BOLD, ITALIC, STRUCK] = [1, 2, 4] as const
const MARKS = [
  [STRUCK, '~~'],
  [BOLD, '**'],
  [ITALIC, '*'],
] as const

/** A part of a text. */
export interface Span {
  /** The original text, if `isMarkdown` is false; it may have several lines. */
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

/** Converts spans to Markdown. Text is shown as written: characters that are markup only here become entities. */
export function written(spans: readonly Span[], names: SlackNames): string {
  return joinedLines(linesOf(spans).map((line) => lineOf(line, names)))
}

const ITEM = /^\s*(?:[*-]|\d{1,9}[.)])\s/

/** Joins lines. An empty one ends a list of them, whose last item would go on with the next line. */
export function joinedLines(lines: readonly string[]): string {
  let isInList = false
  let text = ''
  for (const [at, line] of lines.entries()) {
    const isItem = ITEM.test(line)
    const isAfter = isInList && !isItem && /^\S/.test(line)
    isInList = isItem || (isInList && /^\s+\S/.test(line))
    text += at === 0 ? line : (isAfter ? '\n\n' : '\n') + line
  }
  return text
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

/** Joins neighbours of the same kind, since markup in a text shows only in the whole of it. */
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

/**
 * Gives adjacent spans without a blank between them the same stars: with several in a row, it would be unclear which ones open emphasis.
 */
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
 * Moves blanks at the edges out of emphasis, and punctuation next to a letter, where marks would be stars. Emphasis of blanks only is
 * dropped.
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
    const end = isWordAfter ? startOfEndingEdge(rest) : rest.trimEnd().length
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

const OF_EDGE = /^[\p{P}\p{S}\s]$/u

/** Returns the position from which there are only blanks and punctuation. */
function startOfEndingEdge(text: string): number {
  let end = text.length
  while (end > 0) {
    const last = text.codePointAt(end - 2)! > 0xffff ? 2 : 1
    if (!OF_EDGE.test(text.slice(end - last, end))) break
    end -= last
  }
  return end
}

function firstSign({ text }: Span): string {
  return text.slice(0, 2)
}

function lastSign({ text }: Span): string {
  return text.slice(-1)
}

/** Puts marks around each run of spans that have them, from the outermost kind inwards. */
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

/** Returns a one-line text as Markdown that shows the same. */
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
      // Any tilde ends strikethrough opened by two.
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

/** Escapes the start of a line that would be a heading, a quotation, code or a bullet. */
function asText(line: string): string {
  const text = line.trimStart()
  const indent = line.slice(0, line.length - text.length).replaceAll('\t', '    ')
  const blanks = indent.length < 4 ? indent : indent.replace(/\s/g, '\u00a0')
  const first = text[0] ?? ''
  const isMarkup = first === '>' || (first === '#' && /^#{1,6}\s/.test(text)) || /^[+*]\s/.test(text)
  return blanks + (isMarkup ? `&#${first.charCodeAt(0)};${text.slice(1)}` : text)
}

/** Returns a link with a one-line text in which nothing is markup. */
export function linkTo(label: string, address: string): string {
  const text = escapeLinkText(label.replaceAll(/[\r\n]+/g, ' ')).trim()
  return `[${text || address}](${address})`
}

/**
 * Returns a link. An address without a label is written as it is if every reader finds its end, which depends on `next`, the character
 * after it.
 */
export function linkOf(url: string, label: string, next: string, names: SlackNames): string {
  const reference = names.address(url)
  const shown = label.trim()
  if (reference !== undefined) return linkTo(shown || url, reference)
  if (/^(?:mailto|tel):/i.test(url)) return directLink(url, shown)
  if (shown === '' || shown === url) {
    const [found] = findAddresses(url)
    const isWhole = found?.start === 0 && found.end === url.length
    if (isWhole && /^(?:$|[\s,;!?])/.test(next) && !/[*`]|~~|\$\$/.test(url)) return url
  }
  const address = webAddress(url)
  // A page cannot open other addresses: they are text.
  if (address === undefined) return escapeName(shown === '' || shown === url ? url : `${shown} (${url})`)
  return linkTo(shown || url, address)
}

/** A mail address that every reader finds in a text. */
const PLAIN_MAIL = /^[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}$/

/** Returns a link to a mail address or a number with other words; otherwise it is written as it is, and readers find it. */
function directLink(url: string, shown: string): string {
  const target = url.replace(/^\w+:/, '')
  if (shown === '' || shown === url || shown === target)
    return PLAIN_MAIL.test(target) ? target : escapeName(target)
  return linkTo(
    shown,
    url.replace(/[()<>\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
  )
}
