/** Slack's markup, as Markdown. It is read character by character, since the meaning of a mark depends on its surroundings. */
import { escapeName } from '../../markdown/mention-text.ts'
import { codeBlock, wholeCode } from '../markdown.ts'
import { momentOf } from '../template-language.ts'
import { emojiText, isEmoji, NO_NAMES, type SlackNames } from './emoji.ts'
import {
  BOLD,
  ITALIC,
  joinedLines,
  linkOf,
  markdownSpan,
  type Span,
  STRUCK,
  textSpan,
  written,
} from './spans.ts'

const FENCE = '```'
const EMPHASIS: Readonly<Record<string, number>> = { '*': BOLD, _: ITALIC, '~': STRUCK }
/** Characters that may start markup; the rest is text. */
const SIGNS = /[`<:*_~]/g
const BORDER = /^[\s\p{P}\p{S}\p{Cs}]?$/u
const EMOJI = /:([\w+'-]{1,100}(?:::skin-tone-\d)?):/y
const BULLET = /^( *)([•◦▪‣●○■])\ufe0e? +/
/** Nesting levels, by the shape of the bullet. */
const LEVELS: Readonly<Record<string, number>> = { '◦': 1, '○': 1, '▪': 2, '■': 2 }
/** Limit of the text between angle brackets, in UTF-16 units. */
const TOKEN_LENGTH = 6_000

/** Converts a text in Slack's markup to Markdown. Mentions in it notify no one. */
export function markdownOf(mrkdwn: string, names: SlackNames = NO_NAMES): string {
  const parts: string[] = []
  let at = 0
  while (at < mrkdwn.length) {
    const start = mrkdwn.indexOf(FENCE, at)
    const end = start < 0 ? -1 : mrkdwn.indexOf(FENCE, start + FENCE.length)
    const isBlock = end > start + FENCE.length
    parts.push(ofLines(mrkdwn.slice(at, isBlock ? start : undefined), names))
    if (!isBlock) break
    const inside = mrkdwn.slice(start + FENCE.length, end).replace(/^\r?\n/, '')
    parts.push(codeBlock(unescaped(withoutTokens(inside))))
    at = end + FENCE.length
  }
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n')
}

/** Returns the text with its addresses as typed, since links do not work in code. */
function withoutTokens(text: string): string {
  return text.replaceAll(/<(?:https?:|mailto:|tel:)[^<>\n]*>/g, (token) => {
    const [target = '', label] = token.slice(1, -1).split('|')
    return label ?? target.replace(/^(?:mailto|tel):/, '')
  })
}

function ofLines(text: string, names: SlackNames): string {
  let isAllQuoted = false
  let wasQuoted = false
  const lines: string[] = []
  for (const whole of text.split(/\r\n?|\n/)) {
    const quoted = /^\s*&gt;(&gt;&gt;)? ?/.exec(whole)
    if (quoted?.[1]) isAllQuoted = true
    const line = quoted ? whole.slice(quoted[0].length) : whole
    const isQuoted = isAllQuoted || quoted !== null
    // A line directly below a quotation would become part of it.
    if (wasQuoted && !isQuoted && line.trim() !== '') lines.push('')
    wasQuoted = isQuoted
    lines.push(isQuoted ? `> ${ofLine(line, names)}`.trimEnd() : ofLine(line, names))
  }
  return joinedLines(lines)
}

function ofLine(line: string, names: SlackNames): string {
  const bullet = BULLET.exec(line)
  if (!bullet) return written(spansOf(line, names), names)
  const level = Math.max(Math.floor(bullet[1]!.length / 4), LEVELS[bullet[2]!] ?? 0)
  return `${'  '.repeat(level)}* ${written(spansOf(line.slice(bullet[0].length), names), names)}`
}

interface Mark {
  readonly sign: string
  /** Index of its span, whose text is the mark. */
  readonly at: number
}

/** Reads one line. */
function spansOf(line: string, names: SlackNames): Span[] {
  const spans: Span[] = []
  const open: Mark[] = []
  const closing = new ClosingSigns(line)
  let at = 0
  while (at < line.length) {
    SIGNS.lastIndex = at
    const start = SIGNS.exec(line)?.index ?? line.length
    if (start > at) spans.push(textSpan(unescaped(line.slice(at, start))))
    if (start === line.length) break
    const read =
      readCode(line, start) ?? readToken(line, start, closing, names) ?? readEmoji(line, start, names)
    if (read) spans.push(read.span)
    else readMark(line, start, spans, open)
    at = read?.end ?? start + 1
  }
  return spans.filter(({ text }) => text !== '')
}

interface Read {
  readonly span: Span
  readonly end: number
}

function readCode(line: string, start: number): Read | undefined {
  if (line[start] !== '`') return undefined
  const end = line.indexOf('`', start + 1)
  if (end < start + 2) return undefined
  const inside = unescaped(withoutTokens(line.slice(start + 1, end)))
  return { span: markdownSpan(wholeCode(inside)), end: end + 1 }
}

/** Finds the sign that ends what begins at positions which never decrease: each part of the line is searched once. */
class ClosingSigns {
  readonly #line: string
  #found = -1

  constructor(line: string) {
    this.#line = line
  }

  after(start: number): number {
    if (this.#found < start) {
      const found = this.#line.indexOf('>', start)
      this.#found = found < 0 ? Number.POSITIVE_INFINITY : found
    }
    return this.#found
  }
}

function readToken(line: string, start: number, closing: ClosingSigns, names: SlackNames): Read | undefined {
  if (line[start] !== '<') return undefined
  const end = closing.after(start)
  if (end - start < 2 || end - start >= TOKEN_LENGTH) return undefined
  return {
    span: markdownSpan(ofToken(line.slice(start + 1, end), line.slice(end + 1, end + 2), names)),
    end: end + 1,
  }
}

function readEmoji(line: string, start: number, names: SlackNames): Read | undefined {
  if (line[start] !== ':') return undefined
  EMOJI.lastIndex = start
  const name = EMOJI.exec(line)?.[1]
  if (name === undefined || !isEmoji(name, names)) return undefined
  return { span: markdownSpan(emojiText(name)), end: start + name.length + 2 }
}

/** Reads an emphasis mark: it closes an earlier one, opens emphasis, or is just a character. */
function readMark(line: string, start: number, spans: Span[], open: Mark[]): void {
  const sign = line[start]!
  const style = EMPHASIS[sign]
  const at = spans.push(textSpan(unescaped(sign))) - 1
  const before = line[start - 1] ?? ''
  const after = line[start + 1] ?? ''
  // Several in a row are a line to write on, or mean nothing to Slack.
  if (style === undefined || before === sign || after === sign) return
  const opener = open.findLast((mark) => mark.sign === sign)
  if (opener && opener.at < at - 1 && before.trim() !== '' && BORDER.test(after)) {
    for (let inside = opener.at + 1; inside < at; inside += 1) {
      spans[inside] = { ...spans[inside]!, style: spans[inside]!.style | style }
    }
    spans[opener.at] = textSpan('')
    spans[at] = textSpan('')
    open.length = open.indexOf(opener)
  } else if (!opener && BORDER.test(before) && after.trim() !== '') {
    open.push({ sign, at })
  }
}

export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** Ids of people and channels. */
const ID = /^[A-Za-z0-9]+$/

/** Converts the content of angle brackets: a link, a mention, a date. */
function ofToken(token: string, next: string, names: SlackNames): string {
  const [target = '', ...rest] = token.split('|')
  const label = unescaped(rest.join('|'))
  const kind = target[0]
  if (target.startsWith('!date^')) return dateOf(target.split('^')[1] ?? '', label)
  if (target.startsWith('!subteam^')) return names.group(target.slice('!subteam^'.length), escapeName(label))
  if (kind === '!') return escapeName(`@${target.slice(1).split('^', 1)[0]}`)
  const id = target.slice(1)
  if (kind === '@' && ID.test(id)) return names.user(id, escapeName(label))
  if (kind === '#' && ID.test(id)) return names.channel(id, escapeName(label))
  return linkOf(unescaped(target), label, next, names)
}

/** Returns a time in UNIX seconds, shown in each reader's zone; else the fallback text. */
export function dateOf(seconds: string, fallback: string): string {
  const moment = momentOf({ text: seconds })
  return moment === undefined ? escapeName(fallback) : `<time:${moment}>`
}
