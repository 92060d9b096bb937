import katex, { ParseError } from 'katex'
import type { MarkdownIt, StateInline, Token } from 'markdown-it'
import { escapeText } from '../html-parts.ts'
import { contextOf, type RenderContext } from '../render-types.ts'
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

/** Length of a formula. Longer ones are shown as written: nobody reads them, and each costs KaTeX time. */
const maxFormulaLength = 5000
/** Accents on letters that are written as one sign. Each costs as much as twenty letters. */
const maxAccents = 500
/**
 * Superscripts, subscripts and primes. Each takes 430 to 840 characters of HTML, so that a message with more would be refused for its
 * length, after 40 ms.
 */
const maxScripts = 600

const definesMacros = /\\(?:[egx]?def|(?:re)?newcommand|providecommand|let|futurelet|global|long)(?![a-zA-Z])/
const maxExpansions = 1000
/**
 * Length of a formula after expansion, since a macro may contain most of the formula, and each use copies it.
 */
const maxExpandedLength = 50_000

/** Nesting above which the stack of the thread would overflow. */
const deepestBraces = 60

/** KaTeX's commands that print: what a user wrote would be in the log. */
const printing = ['\\message', '\\errmessage', '\\show']
const refusedMacros = Object.fromEntries(
  printing.map((name) => [
    name,
    () => {
      throw new ParseError(`${name} is refused`)
    },
  ]),
)

/** The elements of MathML that hold text alone. */
const textElement = /<(\/?)(m[ions]|mtext)((?: [^>]*)?)>(?=(<(?!\/))?)/g
const identifierInOperator = /<mo><mi mathvariant="normal">([^<]*)<\/mi><\/mo>/g

/**
 * Returns KaTeX's HTML for a formula; undefined when it cannot be shown. The same input always gives the
 * same.
 */
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
 * KaTeX writes some operators and identifiers with elements in them (`\mathop{\frac a b}`, `\mathrel{…}`). Browsers take those for
 * elements of HTML, and show nothing of the formula that they belong to: what has elements becomes a row.
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

/** Looks at each sign alone: putting many accents into their order takes time with the square of their number. */
function accentsIn(tex: string): number {
  const signs = tex.match(/[^\p{ASCII}]/gu) ?? []
  return signs.filter((sign) => /\p{Mn}/u.test(sign.normalize('NFD'))).length
}

/** Counts primes that follow each other once, as they are written. */
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
