import type { MarkdownIt, StateInline, Token } from 'markdown-it'
import { withoutEnd } from '../../core/without-end.ts'
import { escapeText } from '../escape.ts'
import { type HighlightedCode, highlightCode } from '../highlight.ts'
import { contextOf } from '../render-context.ts'

/**
 * Returns the element of a block of code. Clients expect the empty span, and the language, which selects the
 * playground (public API's message formatting, "Code blocks").
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

/**
 * Returns the line break before a block that follows the bare text of a list item; the parser's renderer adds
 * it for other blocks.
 */
export function lineBreakBefore(tokens: readonly Token[], index: number): string {
  const previous = tokens[index - 1]
  return previous?.hidden && previous.nesting === -1 ? '\n' : ''
}

/**
 * Returns the language of a fence: its first word, without the braces and dots that other dialects put around
 * it.
 */
function languageOf(info: string): string {
  const word = info.split(/\s/, 1)[0] ?? ''
  return withoutEnd(word.replace(/^[{.]+/, ''), '}')
}

function withoutOuterBlankLines(code: string): string {
  const lines = code.split('\n')
  while (lines.length > 0 && lines[0]!.trim() === '') lines.shift()
  while (lines.length > 0 && lines.at(-1)!.trim() === '') lines.pop()
  return `${lines.join('\n')}\n`
}

/**
 * Makes code within a line keep its spaces and line breaks; a backslash before its first backtick makes it
 * text.
 */
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

function isEscaped(src: string, pos: number): boolean {
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
    const code = highlightCode(withoutOuterBlankLines(token.content), language, coloredLanguages)
    return lineBreakBefore(tokens, index) + codeBlock(md, code)
  }
  md.renderer.rules.code_block = (tokens, index) => {
    const html = escapeText(withoutOuterBlankLines(tokens[index]!.content))
    return lineBreakBefore(tokens, index) + codeBlock(md, { name: '', html })
  }
  md.renderer.rules.code_inline = (tokens, index) => `<code>${escapeText(tokens[index]!.content)}</code>`
}
