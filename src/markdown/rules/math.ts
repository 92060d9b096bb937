import type { MarkdownIt, StateInline, Token } from 'markdown-it'
import { escapeText } from '../escape.ts'
import { renderTex } from '../tex.ts'

/**
 * `$$ tex $$` within a line. The dollars stand apart from words, so that prices stay prices; a formula that
 * does not parse is shown as written, marked `tex-error`.
 */
function parseInlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (!src.startsWith('$$', pos) || src[pos + 2] === '$') return false
  if (pos > 0 && /[\w$]/.test(src[pos - 1]!)) return false
  const end = findClosingDollars(src, pos + 2, posMax)
  if (end < 0 || /[\w]/.test(src[end + 2] ?? '')) return false
  const tex = src.slice(pos + 2, end)
  if (tex.trim() === '') return false
  if (!silent) state.push('math_inline', 'span', 0).content = tex
  state.pos = end + 2
  return true
}

/** The next `$$` in the line that no backslash escapes and no third dollar follows. */
function findClosingDollars(src: string, start: number, max: number): number {
  for (let pos = start; pos + 1 < max; pos++) {
    const char = src.charCodeAt(pos)
    if (char === 0x0a) return -1
    if (char === 0x5c) pos++
    else if (char === 0x24) return src[pos + 1] === '$' && src[pos + 2] !== '$' ? pos : -1
  }
  return -1
}

function renderInline({ content }: Token): string {
  return (
    renderTex(content, { display: false }) ?? `<span class="tex-error">${escapeText(`$$${content}$$`)}</span>`
  )
}

/** A `math` fence: a paragraph of formulas, one for each part between blank lines. */
function renderBlock({ content }: Token): string {
  const formulas = content
    .split(/\n[ \t]*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => renderTex(part, { display: true }) ?? `<span class="tex-error">${escapeText(part)}</span>`)
  return `<p>${formulas.join('\n\n')}</p>\n`
}

export function useMath(md: MarkdownIt): void {
  md.inline.ruler.before('strikethrough', 'math_inline', parseInlineMath)
  md.renderer.rules.math_inline = (tokens, index) => renderInline(tokens[index]!)
  md.renderer.rules.math_block = (tokens, index) => renderBlock(tokens[index]!)
}
