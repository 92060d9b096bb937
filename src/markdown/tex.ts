import katex, { ParseError } from 'katex'

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
