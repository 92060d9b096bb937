import { firstPoints, isLongerThan } from '../core/text-length.ts'
import { escapeLinkText, escapeName } from '../markdown/mention-text.ts'
import { instantOf } from '../markdown/moments.ts'

/** Code points of a name, a title or a line. Titles of issues and first lines of commits are shorter nearly always. */
const LINE_LENGTH = 250
/** Code points of a quotation. A link to the whole follows it. */
const QUOTE_LENGTH = 4_000
/** Characters of an address: longer ones are of no use in a message of ten thousand. */
const MAX_ADDRESS_LENGTH = 2_000
/** Lines of a list. */
const MAX_LINES = 20
/** Characters of a time. */
const TIME_LENGTH = 50

/** Returns a text in one line, cut to its limit. */
export function oneLine(text: string, limit = LINE_LENGTH): string {
  // Only so much is looked at: the text may have thousands of characters.
  return cut(
    firstPoints(text, 4 * limit)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    limit,
  )
}

/** Returns the first line of a text that has any words. */
export function firstLine(text: string): string {
  return oneLine(text.trimStart().split(/[\r\n]/, 1)[0]!)
}

export function cut(text: string, limit: number): string {
  return isLongerThan(text, limit) ? `${firstPoints(text, limit - 1).trimEnd()}…` : text
}

/** Returns Markdown that shows a text as it is, in one line: nothing in it is markup, a mention or a link. */
export function plain(text: string): string {
  return escapeName(oneLine(text))
}

/** Returns a name as `plain` does, and a word for a person without one. */
export function person(name: string): string {
  return plain(name) || 'Someone'
}

/** Returns a link with a plain text. Without an address that can be opened it is the text alone; without a text it is ''. */
export function link(text: string, address: string): string {
  const label = oneLine(text)
  const target = webAddress(address)
  return label === '' || target === undefined ? plain(label) : `[${escapeLinkText(label)}](${target})`
}

/** Returns a link as `link` does; '' without an address that can be opened. */
export function linkIfAny(text: string, address: string): string {
  return webAddress(address) === undefined ? '' : link(text, address)
}

/** Returns a text as `plain` does, or as a link if it is an address. */
export function plainOrLink(text: string): string {
  return linkIfAny(text, text) || plain(text)
}

/** Returns an address of the web in a form that a link in Markdown can have; undefined for any other text. */
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

/** Returns a text as code within a line; '' stays ''. */
export function code(text: string): string {
  return wholeCode(oneLine(text))
}

/** Does the same for all of a text, however long it is. */
export function wholeCode(text: string): string {
  const inside = text.replaceAll(/[\r\n]+/g, ' ')
  if (inside === '') return ''
  const mark = '`'.repeat(longestRun(inside, /`+/g) + 1)
  const space = inside.startsWith('`') || inside.endsWith('`') ? ' ' : ''
  return mark + space + inside + space + mark
}

/** Returns a block of code. */
export function codeBlock(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text, /`+/g) + 1))
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}

/** Returns Markdown of the sender's as a quotation, cut to its limit; '' without any text. */
export function quote(markdown: string): string {
  const whole = markdown.replaceAll(/\r\n?/g, '\n').trim()
  const text = cut(whole, QUOTE_LENGTH)
  if (text === '') return ''
  const fence = '~'.repeat(Math.max(3, longestRun(text, /~+/g) + 1))
  return `${fence} quote\n${text}\n${fence}${text === whole ? '' : wholeHere()}`
}

/** Stands where a message links to the whole of what is cut. No text of a payload has it (payload.ts). */
const MARK = '\0'
const MARKED = /\0([^\0]*)\0([^\0]*)\0([^\0]*)\0/g

/** Marks a place where `linkToWhole` puts a link, with something before it, or `otherwise`. */
function toWhole(before: string, label: string, otherwise: string): string {
  return MARK + before + MARK + label + MARK + otherwise + MARK
}

/** Marks the end of a text that is cut. */
export function wholeHere(): string {
  return toWhole('\n\n', 'Read the whole text', '')
}

/** Returns a message whose marks are links to where the service has all of it, or words alone without an address that can be opened. */
export function linkToWhole(text: string, address: string): string {
  const target = webAddress(address)
  return text.replaceAll(MARKED, (_, before: string, label: string, otherwise: string) =>
    target === undefined ? otherwise : `${before}[${label}](${target})`,
  )
}

/** The first link of a line. Nothing that people have written is one (`plain`). */
const FIRST_LINK = /\]\((https?:[^\s()]+)\)/

/** Returns the address of what a message is about: that of the first link in its first sentence; '' without one. */
export function subjectOf(text: string): string {
  return FIRST_LINK.exec(text.split('\n', 1)[0]!)?.[1] ?? ''
}

function longestRun(text: string, runs: RegExp): number {
  return (text.match(runs) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0)
}

/** Returns the parts that say something, with spaces between. */
export function words(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}

/** Returns the parts that say something, each a block. */
export function blocks(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Returns a statement with what it introduces, or with a full stop. */
export function statement(text: string, block = ''): string {
  if (block !== '') return `${text}:\n\n${block}`
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** Returns names in a row: `A, B and C`. Those above the limit are `others`. */
export function enumeration(names: readonly string[], limit = 5): string {
  const shown = names.length > limit ? [...names.slice(0, limit), 'others'] : names
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

/** Returns a time in the zone of each reader, from ISO 8601 or UNIX seconds; '' for what is none. */
export function time(text: string): string {
  const instant = text.length > TIME_LENGTH ? undefined : instantOf(text)
  return instant === undefined ? '' : `<time:${instant}>`
}

/** Returns a list of names and their values, which are Markdown: `* Level: error`. Those without a value are left out. */
export function details(entries: readonly (readonly [name: string, value: string])[]): string {
  return listOf(
    entries
      .map(([name, value]) => [plain(name), value] as const)
      .filter(([name, value]) => name !== '' && value !== '')
      .map(([name, value]) => `${name}: ${value}`),
  )
}

/** Returns a list of lines in Markdown, cut to its limit. */
export function listOf(lines: readonly string[], limit = MAX_LINES): string {
  const more = lines.length - limit
  return bullets(more > 0 ? [...lines.slice(0, limit), andMore(`and ${more} more`)] : lines)
}

/** Returns words for what is left out, as a link to the whole. */
export function andMore(text: string, otherwise = text): string {
  return toWhole('', text, otherwise)
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `* ${line}`).join('\n')
}

/** Returns a number of things in words: `1 commit`, `2 commits`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}

/** Returns a text whose first letter is a capital. */
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
