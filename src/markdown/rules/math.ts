import type { MarkdownIt, StateInline, Token } from 'markdown-it'
import { escapeText } from '../escape.ts'
import { contextOf, type RenderContext } from '../render-context.ts'
import { renderTex } from '../tex.ts'
import { lineBreakBefore } from './fences.ts'

/**
 * Parses `$$ tex $$` within a line. The dollars are separate from words, so that prices stay prices; a
 * formula that does not parse is shown as written, marked `tex-error`. No formula begins with an underscore:
 * `$$__$$` is a blank.
 */
function parseInlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (!src.startsWith('$$', pos) || /[$_]/.test(src[pos + 2] ?? '')) return false
  if (pos > 0 && /[\w$]/.test(src[pos - 1]!)) return false
  const end = findClosingDollars(src, pos + 2, posMax)
  if (end < 0 || /[\w]/.test(src[end + 2] ?? '')) return false
  const tex = src.slice(pos + 2, end)
  if (tex.trim() === '') return false
  if (!silent) state.push('math_inline', 'span', 0).content = tex
  state.pos = end + 2
  return true
}

/** Returns the next `$$` in the line that no backslash escapes and no third dollar follows. */
function findClosingDollars(src: string, start: number, max: number): number {
  for (let pos = start; pos + 1 < max; pos++) {
    const char = src.charCodeAt(pos)
    if (char === 0x0a) return -1
    if (char === 0x5c) pos++
    else if (char === 0x24) return src[pos + 1] === '$' && src[pos + 2] !== '$' ? pos : -1
  }
  return -1
}

/**
 * Characters of HTML of all formulas of one message. A formula takes up to two hundred times the length of
 * its source; formulas above the limit are shown as written.
 */
const maxFormulaHtml = 300_000

/** Returns a formula as HTML; as written, marked as an error, when it cannot be shown. */
function renderFormula(context: RenderContext, tex: string, display: boolean): string {
  if (context.formulaHtml < maxFormulaHtml) {
    const html = renderTex(tex, { display })
    context.formulaHtml += html?.length ?? 0
    if (html !== undefined) return html
  }
  return `<span class="tex-error">${escapeText(display ? tex : `$$${tex}$$`)}</span>`
}

/** Renders a `math` fence: a paragraph of formulas, one for each part between blank lines. */
function renderBlock(context: RenderContext, { content }: Token): string {
  const formulas = content
    .split(/\n[ \t]*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => renderFormula(context, part, true))
  return `<p>${formulas.join('\n\n')}</p>\n`
}

export function useMath(md: MarkdownIt): void {
  md.inline.ruler.before('strikethrough', 'math_inline', parseInlineMath)
  md.renderer.rules.math_inline = (tokens, index, _options, env) =>
    renderFormula(contextOf(env!), tokens[index]!.content, false)
  md.renderer.rules.math_block = (tokens, index, _options, env) =>
    lineBreakBefore(tokens, index) + renderBlock(contextOf(env!), tokens[index]!)
}
