import type { MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it'
import { withoutEnd } from '../../core/text-length.ts'
import { type HighlightedCode, highlightCode } from '../highlight.ts'
import { escapeText } from '../html-parts.ts'
import { contextOf } from '../render-types.ts'

/** Depth above which nested blocks are shown as plain text, to limit the work. */
const deepestFence = 20

/** The line that opens a fence: ```` ```python ````, `~~~ quote`. */
interface Fence {
  /** The sequence of backticks or tildes; the same sequence alone on a line closes the fence. */
  marker: string
  /** The first word after the marker, lower-cased: a language, or `quote`, `spoiler`, `math`, `text`. */
  kind: string
  /** The words after the marker, as written. */
  info: string
}

const containers = new Set(['quote', 'spoiler'])

/** Reads a line as the opening of a fence. Its marker may neither be indented like code nor occur again after it. */
function fenceOfLine(state: StateBlock, line: number): Fence | undefined {
  if (state.sCount[line]! - state.blkIndent >= 4) return undefined
  const start = state.bMarks[line]! + state.tShift[line]!
  const max = state.eMarks[line]!
  const char = state.src.charCodeAt(start)
  if (char !== 0x60 && char !== 0x7e) return undefined
  let pos = start
  while (pos < max && state.src.charCodeAt(pos) === char) pos++
  if (pos - start < 3) return undefined
  const info = state.src.slice(pos, max).trim()
  if (info.includes(state.src[start]!)) return undefined
  return { marker: state.src.slice(start, pos), kind: (info.split(/\s/, 1)[0] ?? '').toLowerCase(), info }
}

/**
 * Returns the line that closes the fence opened in `line`, or `endLine`. Code ends at the first line with just its marker; in a quote or
 * a spoiler a marker with a word opens another fence, which has to close first.
 */
function findEnd(state: StateBlock, line: number, endLine: number, fence: Fence): number {
  const { fenceEnds } = contextOf(state.env)
  const known = fenceEnds.get(line)
  if (known !== undefined) return Math.min(known, endLine)

  const open: { line: number; fence: Fence }[] = [{ line, fence }]
  for (let next = line + 1; next < endLine && open.length > 0; next++) {
    if (state.sCount[next]! < state.blkIndent && !state.isEmpty(next)) {
      endLine = next
      break
    }
    const inner = fenceOfLine(state, next)
    if (inner === undefined) continue
    const top = open.at(-1)!
    if (inner.info === '' && inner.marker === top.fence.marker) {
      fenceEnds.set(top.line, next)
      open.pop()
    } else if (containers.has(top.fence.kind)) {
      open.push({ line: next, fence: inner })
    }
  }
  // An unclosed fence ends with its container; this is stored to keep inner blocks from searching again.
  for (const { line: unclosed } of open) fenceEnds.set(unclosed, endLine)
  return Math.min(fenceEnds.get(line)!, endLine)
}

/** Returns the columns of whitespace before a line's marker, counted in the source (a list may have shifted `sCount`). */
function writtenIndent(state: StateBlock, line: number): number {
  let columns = 0
  for (let pos = state.bMarks[line]!; pos < state.bMarks[line]! + state.tShift[line]!; pos++) {
    columns += state.src.charCodeAt(pos) === 0x09 ? 4 - ((columns + state.bsCount[line]!) % 4) : 1
  }
  return columns
}

function parseFence(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  const fence = fenceOfLine(state, line)
  if (fence === undefined) return false
  const isContainer = containers.has(fence.kind)
  if (isContainer && state.level >= deepestFence) return false
  if (silent) return true

  const end = findEnd(state, line, endLine, fence)
  state.line = Math.min(end + 1, endLine)
  if (fence.kind !== 'spoiler' && isBlank(state, line + 1, end)) return true
  if (fence.kind === 'quote') parseQuote(state, line + 1, end)
  else if (fence.kind === 'spoiler')
    parseSpoiler(state, line + 1, end, fence.info.slice('spoiler'.length).trim())
  else {
    const token = state.push(fence.kind === 'math' ? 'math_block' : 'fence', 'code', 0)
    token.info = fence.info
    token.content = state.getLines(line + 1, end, writtenIndent(state, line), true)
    token.map = [line, end]
  }
  state.line = Math.min(end + 1, endLine)
  return true
}

/** Whether nothing is written in these lines. A fence around nothing leaves nothing. */
function isBlank(state: StateBlock, start: number, end: number): boolean {
  for (let line = start; line < end; line++) if (!state.isEmpty(line)) return false
  return true
}

/** Parses the lines of a container as separate blocks. */
function parseInside(state: StateBlock, start: number, end: number, parentType: string): void {
  const { lineMax, parentType: oldParent, tight } = state
  state.lineMax = end
  state.parentType = parentType
  state.md.block.tokenize(state, start, end)
  state.lineMax = lineMax
  state.parentType = oldParent
  state.tight = tight
}

/** Parses lines as the blocks of a quote. */
export function parseQuote(state: StateBlock, start: number, end: number): void {
  state.push('blockquote_open', 'blockquote', 1)
  parseInside(state, start, end, 'blockquote')
  state.push('blockquote_close', 'blockquote', -1)
}

/** Parses a block whose content is hidden until the reader opens it; the header is Markdown too. */
function parseSpoiler(state: StateBlock, start: number, end: number, header: string): void {
  state.push('spoiler_open', 'div', 1).attrs = [['class', 'spoiler-block']]
  state.push('spoiler_header_open', 'div', 1).attrs = [['class', 'spoiler-header']]
  renderSpoilerHeader(state, header)
  state.push('spoiler_header_close', 'div', -1)
  state.push('spoiler_content_open', 'div', 1).attrs = [
    ['class', 'spoiler-content'],
    ['aria-hidden', 'true'],
  ]
  parseInside(state, start, end, 'spoiler')
  state.push('spoiler_content_close', 'div', -1)
  state.push('spoiler_close', 'div', -1)
}

export function useFences(md: MarkdownIt): void {
  md.block.ruler.at('fence', parseFence, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
}

/**
 * Parses a spoiler's header, one line of Markdown, into the current token stream. Its mentions and links count like others, because its
 * inline tokens are parsed with the rest.
 */
function renderSpoilerHeader(state: StateBlock, header: string): void {
  if (header === '') return
  const inner = new state.md.block.State(header, state.md, state.env, state.tokens)
  inner.level = state.level
  state.md.block.tokenize(inner, 0, inner.lineMax)
}

/**
 * Returns the element of a code block. Clients expect the empty span, and the language, which selects the playground (public API's
 * message formatting, "Code blocks").
 */
function codeBlock(md: MarkdownIt, { name, html }: HighlightedCode): string {
  const attributes = md.renderer.renderAttrs({
    attrs: [
      ['class', 'codehilite'],
      ...(name === '' ? [] : [['data-code-language', name] as [string, string]]),
    ],
  })
  return `<div${attributes}><pre><span></span><code>${html}</code></pre></div>\n`
}

/** Returns the line break before a block after the bare text of a list item; the parser's renderer adds it for other blocks. */
export function lineBreakBefore(tokens: readonly Token[], index: number): string {
  const previous = tokens[index - 1]
  return previous?.hidden && previous.nesting === -1 ? '\n' : ''
}

/** Returns the language of a fence: its first word, without the braces and dots of other dialects. */
function languageOf(info: string): string {
  const word = info.split(/\s/, 1)[0] ?? ''
  return withoutEnd(word.replace(/^[{.]+/, ''), '}')
}

/** Returns code without blank lines around it, and without blanks at the ends of its lines. */
function trimmedCode(code: string): string {
  const lines = code.split('\n').map((line) => line.trimEnd())
  while (lines.length > 0 && lines[0] === '') lines.shift()
  while (lines.length > 0 && lines.at(-1) === '') lines.pop()
  return `${lines.join('\n')}\n`
}

/** Preserves spaces and line breaks of inline code; a backslash before its first backtick makes it text. */
function useCodeSpans(md: MarkdownIt): void {
  const rule = md.inline.ruler.__rules__.find(({ name }) => name === 'backticks')!.fn
  md.inline.ruler.at('backticks', (state, silent) => {
    const { src, pos } = state
    if (src.charCodeAt(pos) !== 0x60) return false
    if (isEscaped(src, pos)) return skipBackticks(state, silent)
    const before = state.tokens.length
    if (!rule(state, silent)) return false
    const code = state.tokens.at(-1)
    if (state.tokens.length > before && code?.type === 'code_inline') {
      const width = code.markup.length
      code.content = src.slice(pos + width, state.pos - width)
    }
    return true
  })
}

/** Whether a backslash before a backtick makes it text. */
export function isEscaped(src: string, pos: number): boolean {
  return src.charCodeAt(pos - 1) === 0x5c && src.charCodeAt(pos - 2) !== 0x5c
}

function skipBackticks(state: StateInline, silent: boolean): boolean {
  let end = state.pos
  while (end < state.posMax && state.src.charCodeAt(end) === 0x60) end++
  if (!silent) state.pending += state.src.slice(state.pos, end)
  state.pos = end
  return true
}

export function useCodeBlocks(md: MarkdownIt): void {
  useCodeSpans(md)
  md.renderer.rules.fence = (tokens, index, _options, env) => {
    const token = tokens[index]!
    const { lookups, coloredLanguages } = contextOf(env!)
    const language = languageOf(token.info) || lookups.defaultCodeBlockLanguage
    const code = highlightCode(trimmedCode(token.content), language, coloredLanguages)
    return lineBreakBefore(tokens, index) + codeBlock(md, code)
  }
  md.renderer.rules.code_block = (tokens, index) => {
    const html = escapeText(trimmedCode(tokens[index]!.content))
    return lineBreakBefore(tokens, index) + codeBlock(md, { name: '', html })
  }
  md.renderer.rules.code_inline = (tokens, index) => `<code>${escapeText(tokens[index]!.content)}</code>`
}
