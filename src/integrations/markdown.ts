import { firstPoints, isLongerThan } from '../core/text-length.ts'
import { escapeLinkText, escapeName } from '../markdown/mention-text.ts'
import { instantOf } from '../markdown/moments.ts'

/** Limit of a name, a title or a line, in code points. Titles of issues and first lines of commits are nearly always shorter. */
const LINE_LENGTH = 250
/** Limit of a quotation, in code points. A link to the whole follows it. */
const QUOTE_LENGTH = 4_000
/** Limit of an address, in characters: longer ones are useless in a message of ten thousand. */
const MAX_ADDRESS_LENGTH = 2_000
/** Limit of the lines of a list. */
const MAX_LINES = 20
/** Limit of a time, in characters. */
const TIME_LENGTH = 50

export function oneLine(text: string, limit = LINE_LENGTH): string {
  // Only this much is read: the text may have thousands of characters.
  return cut(
    firstPoints(text, 4 * limit)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    limit,
  )
}

/** Returns the first non-empty line of a text. */
export function firstLine(text: string): string {
  return oneLine(text.trimStart().split(/[\r\n]/, 1)[0]!)
}

export function cut(text: string, limit: number): string {
  return isLongerThan(text, limit) ? `${firstPoints(text, limit - 1).trimEnd()}…` : text
}

/** Returns Markdown that shows a text verbatim, on one line: nothing in it acts as markup, a mention or a link. */
export function plain(text: string): string {
  return escapeName(oneLine(text))
}

/** Returns a name as `plain` does, with a placeholder for a person without one. */
export function person(name: string): string {
  return plain(name) || 'Someone'
}

/** Returns a link with a plain text. Without a usable address it is just the text; without a text it is ''. */
export function link(text: string, address: string): string {
  const label = oneLine(text)
  const target = webAddress(address)
  return label === '' || target === undefined ? plain(label) : `[${escapeLinkText(label)}](${target})`
}

/** Returns a link as `link` does; '' without a usable address. */
export function linkIfAny(text: string, address: string): string {
  return webAddress(address) === undefined ? '' : link(text, address)
}

/** Returns a text as `plain` does, or as a link if it is an address. */
export function plainOrLink(text: string): string {
  return linkIfAny(text, text) || plain(text)
}

/** Returns a web address in a form that fits into a Markdown link; undefined for any other text. */
export function webAddress(address: string): string | undefined {
  if (address.length > MAX_ADDRESS_LENGTH || !URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  return href.replace(/[()<>\s]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

export function bold(text: string): string {
  const inside = plain(text)
  return inside === '' ? '' : `**${inside}**`
}

/** Returns a text as inline code; '' stays ''. */
export function code(text: string): string {
  return wholeCode(oneLine(text))
}

/** Does the same for the whole text, however long. */
export function wholeCode(text: string): string {
  const inside = text.replaceAll(/[\r\n]+/g, ' ')
  if (inside === '') return ''
  const mark = '`'.repeat(longestRun(inside, /`+/g) + 1)
  const space = inside.startsWith('`') || inside.endsWith('`') ? ' ' : ''
  return mark + space + inside + space + mark
}

export function codeBlock(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text, /`+/g) + 1))
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}

/** Returns the sender's Markdown as a quotation, cut to its limit; '' without any text. */
export function quote(markdown: string): string {
  const whole = markdown.replaceAll(/\r\n?/g, '\n').trim()
  const text = cut(whole, QUOTE_LENGTH)
  if (text === '') return ''
  const fence = '~'.repeat(Math.max(3, longestRun(text, /~+/g) + 1))
  return `${fence} quote\n${text}\n${fence}${text === whole ? '' : wholeHere()}`
}

/** Returns Markdown as a quotation, line by line; '' without any text. */
export function quotedLines(markdown: string): string {
  return markdown === '' ? '' : markdown.replaceAll(/^/gm, '> ').replaceAll(/^> $/gm, '>')
}

/** Marks where a message links to the uncut content. No text of a payload contains it (payload.ts). */
const MARK = '\0'
const MARKED = /\0([^\0]*)\0([^\0]*)\0([^\0]*)\0/g

/** Marks a place where `linkToWhole` puts a link, with a prefix, or `otherwise`. */
function toWhole(before: string, label: string, otherwise: string): string {
  return MARK + before + MARK + label + MARK + otherwise + MARK
}

/** Marks the end of a cut text. */
export function wholeHere(): string {
  return toWhole('\n\n', 'Read the whole text', '')
}

/** Returns a message with its marks replaced by links to the service's full content, or by words if there is no usable address. */
export function linkToWhole(text: string, address: string): string {
  const target = webAddress(address)
  return text.replaceAll(MARKED, (_, before: string, label: string, otherwise: string) =>
    target === undefined ? otherwise : `${before}[${label}](${target})`,
  )
}

/** The first link of a line. User text never contains one (`plain`). */
const FIRST_LINK = /\]\((https?:[^\s()]+)\)/

/** Returns the address of a message's subject: the first link in its first sentence; '' without one. */
export function subjectOf(text: string): string {
  return FIRST_LINK.exec(text.split('\n', 1)[0]!)?.[1] ?? ''
}

function longestRun(text: string, runs: RegExp): number {
  return (text.match(runs) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0)
}

/** Returns the non-empty parts, joined by spaces. */
export function words(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}

/** Returns the non-empty parts, each on a line. */
export function inLines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}

/** Returns the non-empty parts, each a block. */
export function blocks(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Returns a statement with the text that it introduces, or with a full stop. */
export function statement(text: string, block = ''): string {
  if (block !== '') return `${text}:\n\n${block}`
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** Returns a list of names in words: `A, B and C`. Those above the limit are `others`. */
export function enumeration(names: readonly string[], limit = 5): string {
  const shown = names.length > limit ? [...names.slice(0, limit), 'others'] : names
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

/** Tags after which a new line begins. */
const LINE_ENDS = /<(?:br|\/p|\/div|\/li|\/tr|\/h[1-6]|\/blockquote|\/pre)\b[^<>]*>/gi
const TAGS = /<[!/a-z][^<>]*>/gi
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  nbsp: ' ',
  quot: '"',
}

/** Returns the text of HTML, with its line breaks: tags are left out, and the usual entities read. */
export function textOfHtml(html: string): string {
  return html
    .replaceAll(LINE_ENDS, '\n')
    .replaceAll(TAGS, '')
    .replaceAll(/&(?:#(\d{1,6})|([a-z]{2,4}));/g, (whole, number?: string, name = '') => {
      const point = Number(number)
      if (number !== undefined) return point > 0 && point <= 0x10_ff_ff ? String.fromCodePoint(point) : whole
      return Object.hasOwn(ENTITIES, name) ? ENTITIES[name]! : whole
    })
    .replaceAll(/\n{3,}/g, '\n\n')
    .toWellFormed()
    .trim()
}

/** Returns a time shown in each reader's zone, from ISO 8601 or UNIX seconds; '' if it is neither. */
export function time(text: string): string {
  const instant = text.length > TIME_LENGTH ? undefined : instantOf(text)
  return instant === undefined ? '' : `<time:${instant}>`
}

/** Returns a list of names and values, which are Markdown: `* Level: error`. Entries without a value are left out. `unread`: further ones. */
export function details(entries: readonly (readonly [name: string, value: string])[], unread = 0): string {
  const shown = entries.filter(([name, value]) => value !== '' && oneLine(name) !== '')
  return listOf(shown, ([name, value]) => `${plain(name)}: ${value}`, unread)
}

/** Returns a Markdown list, of which a few items are written, and the rest is counted. `unread`: further ones. */
export function listOf<Item>(items: readonly Item[], write: (item: Item) => string, unread = 0): string {
  const lines = items.slice(0, MAX_LINES).map(write)
  const more = items.length - lines.length + unread
  return bullets(more > 0 ? [...lines, andMore(`and ${more} more`)] : lines)
}

/** Returns a note about left out content, as a link to the whole. */
export function andMore(text: string, otherwise = text): string {
  return toWhole('', text, otherwise)
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `* ${line}`).join('\n')
}

/** Returns a count in words: `1 commit`, `2 commits`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}

/** Returns a text with a capital first letter. */
export function capitalized(text: string): string {
  const first = text.codePointAt(0)
  if (first === undefined) return ''
  const letter = String.fromCodePoint(first)
  return letter.toUpperCase() + text.slice(letter.length)
}

/** Returns the name of a state or an action in words: `review_requested` becomes `review requested`. */
export function inWords(name: string): string {
  return plain(name.replaceAll(/[_-]+/g, ' ').trim())
}
