import katex, { ParseError } from 'katex'
import type { MarkdownIt, StateInline, Token } from 'markdown-it'
import { escapeText } from '../html-parts.ts'
import { contextOf, type RenderContext } from '../render-types.ts'
import { lineBreakBefore } from './fences.ts'

/**
 * Parses `$$ tex $$` within a line. The dollars must be separate from words, so that prices stay prices; an invalid formula is shown as
 * written, marked `tex-error`. A formula may not begin with an underscore: `$$__$$` is a blank to fill in.
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

/** Returns the next `$$` on the line that is neither escaped by a backslash nor followed by a third dollar. */
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
 * Limit of the HTML of all formulas of one message, in characters. A formula grows up to two hundredfold; those beyond the limit are
 * shown as written.
 */
const maxFormulaHtml = 300_000

/** Returns a formula as HTML; if that fails, as written and marked as an error. */
function renderFormula(context: RenderContext, tex: string, display: boolean): string {
  if (context.formulaHtml < maxFormulaHtml) {
    const html = renderTex(tex, { display })
    context.formulaHtml += html?.length ?? 0
    if (html !== undefined) return html
  }
  return `<span class="tex-error">${escapeText(display ? tex : `$$${tex}$$`)}</span>`
}

/** Renders a `math` fence: a paragraph of formulas, separated by blank lines. */
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

/** Limit of a formula. Longer ones are shown as written: they are unreadable, and cost KaTeX time. */
const maxFormulaLength = 5000
/** Limit of accents on precomposed letters. Each costs as much as twenty letters. */
const maxAccents = 500
/**
 * Limit of superscripts, subscripts and primes. Each takes 430 to 840 characters of HTML, so a message with more would be refused for its
 * length, after 40 ms.
 */
const maxScripts = 600

const definesMacros = /\\(?:[egx]?def|(?:re)?newcommand|providecommand|let|futurelet|global|long)(?![a-zA-Z])/
const maxExpansions = 1000
/** Limit of a formula after expansion, since a macro may contain most of the formula, and each use copies it. */
const maxExpandedLength = 50_000

/** Nesting above which the thread's stack would overflow. */
const deepestBraces = 60

/** KaTeX commands that print: user text would end up in the log. */
const printing = ['\\message', '\\errmessage', '\\show']
const refusedMacros = Object.fromEntries(
  printing.map((name) => [
    name,
    () => {
      throw new ParseError(`${name} is refused`)
    },
  ]),
)

/** MathML elements that contain only text. */
const textElement = /<(\/?)(m[ions]|mtext)((?: [^>]*)?)>(?=(<(?!\/))?)/g
const identifierInOperator = /<mo><mi mathvariant="normal">([^<]*)<\/mi><\/mo>/g

/** Returns KaTeX's HTML for a formula; undefined if it cannot be shown. The same input always gives the same result. */
export function renderTex(tex: string, { display }: { display: boolean }): string | undefined {
  if (tex.length > maxFormulaLength || depthOf(tex) > deepestBraces) return undefined
  if (accentsIn(tex) > maxAccents || scriptsIn(tex) > maxScripts) return undefined
  try {
    const html = katex.renderToString(tex, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      strict: 'ignore',
      maxSize: 20,
      // A copy: KaTeX stores the formula's own macros in it.
      macros: { ...refusedMacros },
      maxExpand: definesMacros.test(tex)
        ? Math.min(maxExpansions, Math.floor(maxExpandedLength / tex.length))
        : maxExpansions,
    })
    return withElementsInRows(html.replace(identifierInOperator, '<mo>$1</mo>'))
  } catch {
    return undefined
  }
}

/**
 * KaTeX puts elements into some operators and identifiers (`\mathop{\frac a b}`, `\mathrel{…}`). Browsers parse those as HTML, and drop
 * the rest of the formula: any with elements in it becomes a row.
 */
function withElementsInRows(html: string): string {
  const open: string[] = []
  return html.replaceAll(
    textElement,
    (_, end: string, name: string, attributes: string, element?: string) => {
      if (end !== '') return `</${open.pop()}>`
      open.push(element === undefined ? name : 'mrow')
      return element === undefined ? `<${name}${attributes}>` : '<mrow>'
    },
  )
}

/** Checks characters one at a time: normalizing many accents takes quadratic time. */
function accentsIn(tex: string): number {
  const signs = tex.match(/[^\p{ASCII}]/gu) ?? []
  return signs.filter((sign) => /\p{Mn}/u.test(sign.normalize('NFD'))).length
}

/** Counts a run of primes once, as it is rendered. */
function scriptsIn(tex: string): number {
  return tex.match(/'+|[\^_]/g)?.length ?? 0
}

/** Returns an upper limit of how deep groups nest: braces, delimiters and commands that take the next one. */
function depthOf(tex: string): number {
  let depth = 0
  let deepest = 0
  for (const [token] of tex.matchAll(/\\[a-zA-Z]+|\\.|[{}^_[\]]/gs)) {
    if (token === '{' || token === '\\left' || token === '\\begin' || token === '[') depth++
    else if (token === '}' || token === '\\right' || token === '\\end' || token === ']')
      depth = Math.max(0, depth - 1)
    if (depth > deepest) deepest = depth
  }
  return deepest
}
