import { emojiCharacters } from './emoji-data.ts'
import { attributeOf, type HtmlPart, htmlParts, unescapeHtml } from './html-parts.ts'

/** Tags at which a line ends. */
const blockTags = new Set(['p', 'div', 'li', 'ul', 'ol', 'blockquote', 'pre', 'table', 'tr', 'hr'])

/** Classes of elements with invisible content: KaTeX writes each formula twice. */
const unreadClasses = ['katex-html']

function isHidden(part: HtmlPart, hideSpoilers: boolean): boolean {
  const className = attributeOf(part.html, 'class')
  if (className === undefined) return false
  return unreadClasses.includes(className) || (hideSpoilers && className === 'spoiler-content')
}

/**
 * Returns the text of rendered Markdown, for search and notifications: emoji as characters, formulas as TeX, blocks on lines of their
 * own. With `hideSpoilers` the content of a spoiler becomes `(…)`. `momentOf` formats a time for the reader; without it, times stay as
 * the author wrote them.
 */
export function plainTextOf(
  html: string,
  options: { readonly hideSpoilers: boolean; readonly momentOf?: WriteMoment },
): string {
  let text = ''
  /** Number of open elements, counted from a hidden or replaced one; their content is skipped. */
  let skipped = 0
  let inFormula = false
  let inCode = false
  for (const part of htmlParts(html)) {
    if (skipped > 0) {
      if (part.kind === 'open') skipped++
      else if (part.kind === 'close') skipped--
      continue
    }
    if (part.tag === 'semantics') continue
    const moment = momentIn(part, options.momentOf)
    if (moment !== undefined) {
      text += moment
      skipped = 1
      continue
    }
    if (part.tag === 'math') inFormula = part.kind === 'open'
    if (part.tag === 'pre') inCode = part.kind === 'open'
    if (part.kind === 'text') {
      // The tag already breaks the line, so a newline next to it is dropped; inline code may contain others.
      const line = part.html.replaceAll(/^\n+/g, '').replaceAll('\n', ' ')
      text += unescapeHtml(inCode ? part.html : line)
    } else if (part.tag === 'br') {
      text += '\n'
    } else if (part.kind === 'open' && inFormula && part.tag === 'mrow') {
      skipped = 1
    } else if (part.kind === 'open' && isHidden(part, options.hideSpoilers)) {
      skipped = 1
      if (attributeOf(part.html, 'class') === 'spoiler-content') text += '(…)\n'
    } else if (part.kind === 'open' && emojiOf(part.html) !== undefined) {
      text += emojiOf(part.html)
      skipped = 1
    } else if (part.kind === 'open' && attributeOf(part.html, 'class') === 'katex-display') {
      text += '\n'
    } else if (part.tag === 'img') {
      text += attributeOf(part.html, 'alt') ?? ''
    } else if (part.tag === 'td' || part.tag === 'th') {
      if (part.kind === 'close') text += '\t'
    } else if (blockTags.has(part.tag) || /^h[1-6]$/.test(part.tag)) {
      text += '\n'
    }
  }
  // The tags of adjacent blocks leave empty lines.
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')
}

/** Formats a time (ISO 8601) for a reader; undefined if it is invalid. */
export type WriteMoment = (moment: string) => string | undefined

/** Returns the words for the time that starts here; undefined if none does. */
export function momentIn(
  { kind, tag, html }: HtmlPart,
  momentOf: WriteMoment | undefined,
): string | undefined {
  if (tag !== 'time' || kind !== 'open' || !momentOf) return undefined
  const moment = attributeOf(html, 'datetime')
  return moment === undefined ? undefined : momentOf(moment)
}

/** Returns the characters of a Unicode emoji's span. */
export function emojiOf(tag: string): string | undefined {
  const code = /^<span [^>]*class="emoji emoji-([0-9a-f-]+)"/.exec(tag)?.[1]
  return code === undefined ? undefined : emojiCharacters(code)
}
