import type { MarkdownIt, Token } from 'markdown-it'
import { withoutEnd } from '../../core/without-end.ts'
import { escapeText } from '../escape.ts'
import { highlightCode } from '../highlight.ts'
import { contextOf } from '../render-context.ts'

/**
 * The element of a block of code. The empty span is part of what clients expect, and so is the language:
 * it selects the playground (public API's message formatting, "Code blocks").
 */
function codeBlock(md: MarkdownIt, code: string, language: string): string {
  const { name, html } = highlightCode(code, language)
  const attributes = md.renderer.renderAttrs({
    attrs: [
      ['class', 'codehilite'],
      ...(name === '' ? [] : [['data-code-language', name] as [string, string]]),
    ],
  })
  return `<div${attributes}><pre><span></span><code>${html}</code></pre></div>\n`
}

/**
 * The line break before a block that follows the bare text of a list item: other blocks get it from the
 * parser's renderer.
 */
export function lineBreakBefore(tokens: readonly Token[], index: number): string {
  const previous = tokens[index - 1]
  return previous?.hidden && previous.nesting === -1 ? '\n' : ''
}

/** The language of a fence: its first word, without the braces and dots other dialects put around it. */
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

export function useCodeBlocks(md: MarkdownIt): void {
  md.renderer.rules.fence = (tokens, index, _options, env) => {
    const token = tokens[index]!
    const language = languageOf(token.info) || contextOf(env!).lookups.defaultCodeBlockLanguage
    return lineBreakBefore(tokens, index) + codeBlock(md, withoutOuterBlankLines(token.content), language)
  }
  md.renderer.rules.code_block = (tokens, index) =>
    lineBreakBefore(tokens, index) + codeBlock(md, withoutOuterBlankLines(tokens[index]!.content), '')
  md.renderer.rules.code_inline = (tokens, index) => `<code>${escapeText(tokens[index]!.content)}</code>`
}
