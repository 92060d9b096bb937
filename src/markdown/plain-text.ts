import { emojiCharacters } from './emoji-data.ts'
import { attributeOf, type HtmlPiece, htmlPieces, unescapeHtml } from './html-pieces.ts'

/** Tags that begin or end a line. */
const blockTags = new Set(['p', 'div', 'li', 'ul', 'ol', 'blockquote', 'pre', 'table', 'tr', 'hr'])

/** Classes of elements whose content readers do not see: KaTeX writes each formula twice. */
const unreadClasses = ['katex-html']

function isHidden(piece: HtmlPiece, hideSpoilers: boolean): boolean {
  const className = attributeOf(piece.html, 'class')
  if (className === undefined) return false
  return unreadClasses.includes(className) || (hideSpoilers && className === 'spoiler-content')
}

/**
 * Returns the text of rendered Markdown, for search and notifications: emoji as characters, formulas as TeX,
 * blocks on lines of their own. With `hideSpoilers` the content of a spoiler becomes `(…)`.
 */
export function plainTextOf(html: string, options: { hideSpoilers: boolean }): string {
  let text = ''
  /** Number of open elements from the hidden or replaced one on; their content is skipped. */
  let skipped = 0
  let inFormula = false
  let inCode = false
  for (const piece of htmlPieces(html)) {
    if (skipped > 0) {
      if (piece.kind === 'open') skipped++
      else if (piece.kind === 'close') skipped--
      continue
    }
    if (piece.tag === 'semantics') continue
    if (piece.tag === 'math') inFormula = piece.kind === 'open'
    if (piece.tag === 'pre') inCode = piece.kind === 'open'
    if (piece.kind === 'text') {
      // A newline next to a tag is already covered by the tag; code within a line may contain others.
      const line = piece.html.replaceAll(/^\n+/g, '').replaceAll('\n', ' ')
      text += unescapeHtml(inCode ? piece.html : line)
    } else if (piece.tag === 'br') {
      text += '\n'
    } else if (piece.kind === 'open' && inFormula && piece.tag === 'mrow') {
      skipped = 1
    } else if (piece.kind === 'open' && isHidden(piece, options.hideSpoilers)) {
      skipped = 1
      if (attributeOf(piece.html, 'class') === 'spoiler-content') text += '(…)\n'
    } else if (piece.kind === 'open' && emojiOf(piece.html) !== undefined) {
      text += emojiOf(piece.html)
      skipped = 1
    } else if (piece.kind === 'open' && attributeOf(piece.html, 'class') === 'katex-display') {
      text += '\n'
    } else if (piece.tag === 'img') {
      text += attributeOf(piece.html, 'alt') ?? ''
    } else if (piece.tag === 'td' || piece.tag === 'th') {
      if (piece.kind === 'close') text += '\t'
    } else if (blockTags.has(piece.tag) || /^h[1-6]$/.test(piece.tag)) {
      text += '\n'
    }
  }
  // Tags of adjacent blocks have left empty lines.
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')
}

/** Returns the characters of a Unicode emoji's span. */
export function emojiOf(tag: string): string | undefined {
  const code = /^<span [^>]*class="emoji emoji-([0-9a-f-]+)"/.exec(tag)?.[1]
  return code === undefined ? undefined : emojiCharacters(code)
}
