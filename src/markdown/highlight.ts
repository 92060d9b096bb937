import type { Emitter, Language, LanguageFn } from 'highlight.js'
import hljs from 'highlight.js/lib/core'
import { boundedGrammar } from './bounded-grammar.ts'
import { escapeText } from './escape.ts'
import { displayNames, grammars, languageNames } from './languages.ts'

/**
 * Length of code up to which it is coloured. Longer code has no colours: grammars are regular expressions,
 * which take too much time.
 */
const maxHighlightedLength = 10_000
/** Length of a line. Grammars look ahead within a line, some of them again from each of its characters. */
const maxLineLength = 1000

/**
 * Classes for the highlighter's scopes. Clients style (and one of them requires) the short classes of the
 * highlighter that the public server uses: `k` for keywords, `s` for strings.
 */
const classes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    keyword: 'k',
    built_in: 'nb',
    type: 'kt',
    literal: 'kc',
    number: 'm',
    operator: 'o',
    punctuation: 'p',
    property: 'na',
    regexp: 'sr',
    string: 's',
    'char.escape': 'se',
    subst: 'si',
    symbol: 'ss',
    variable: 'nv',
    'variable.language': 'bp',
    'variable.constant': 'no',
    title: 'nx',
    'title.class': 'nc',
    'title.class.inherited': 'nc',
    'title.function': 'nf',
    'title.function.invoke': 'nf',
    comment: 'c',
    doctag: 'cs',
    meta: 'cp',
    'meta.prompt': 'gp',
    section: 'gh',
    tag: 'nt',
    name: 'nt',
    attr: 'na',
    attribute: 'na',
    bullet: 'p',
    code: 's',
    emphasis: 'ge',
    strong: 'gs',
    formula: 's',
    link: 'nl',
    quote: 'c',
    'selector-tag': 'nt',
    'selector-id': 'nn',
    'selector-class': 'nc',
    'selector-attr': 'na',
    'selector-pseudo': 'nd',
    'template-tag': 'cp',
    'template-variable': 'nv',
    addition: 'gi',
    deletion: 'gd',
  }),
)

/** Collects the highlighter's output as flat parts of text, each with the class of its innermost scope. */
class FlatEmitter implements Emitter {
  readonly parts: { className: string; text: string }[] = []
  readonly scopes: { name: string; className: string }[] = []

  addText(text: string): void {
    if (text === '') return
    const className = this.scopes.findLast((scope) => scope.className !== '')?.className ?? ''
    const last = this.parts.at(-1)
    if (last !== undefined && last.className === className) last.text += text
    else this.parts.push({ className, text })
  }

  startScope(scope: string): void {
    const className = classes.get(scope) ?? classes.get(scope.split('.', 1)[0]!) ?? ''
    this.scopes.push({ name: scope, className: scope === 'title' ? this.titleClass() : className })
  }

  /**
   * Returns the class of a title: older grammars distinguish a class's name from a function's only by the
   * surrounding scope.
   */
  titleClass(): string {
    const around = this.scopes.findLast(({ name }) => name === 'class' || name === 'function')
    return around === undefined ? 'nx' : around.name === 'class' ? 'nc' : 'nf'
  }

  /** The highlighter has two names for each of these two methods. */
  openNode(scope: string): void {
    this.startScope(scope)
  }

  closeNode(): void {
    this.endScope()
  }

  endScope(): void {
    this.scopes.pop()
  }

  __addSublanguage(emitter: Emitter): void {
    if (emitter instanceof FlatEmitter) this.parts.push(...emitter.parts)
  }

  finalize(): void {}

  toHTML(): string {
    return this.parts
      .map(({ className, text }) =>
        className === '' ? escapeText(text) : `<span class="${className}">${escapeText(text)}</span>`,
      )
      .join('')
  }
}

hljs.configure({ __emitter: FlatEmitter })

/**
 * Returns a known language's grammar, under its name in the highlighter, registered with those of the languages inside it. At their
 * first use, since making all takes as long as rendering a long message.
 */
function grammarOf(alias: string): { readonly id: string; readonly grammar: Language } | undefined {
  const id = languageNames.get(alias)
  if (id === undefined) return undefined
  return { id, grammar: hljs.getLanguage(id) ?? register(id) }
}

function register(id: string): Language {
  const { grammar, inside = [] } = grammars[id]!
  const make: LanguageFn = (api) => boundedGrammar(grammar(api))
  hljs.registerLanguage(id, inside === 'any' ? (api) => namingAll(make(api)) : make)
  for (const one of inside === 'any' ? Object.keys(grammars) : inside) {
    if (!hljs.getLanguage(one)) register(one)
  }
  return hljs.getLanguage(id)!
}

/**
 * Names all languages where any may stand inside this one: the highlighter would try those that are registered, and take the first
 * of equally likely ones, so that the result would depend on what was rendered before.
 */
function namingAll<Part>(part: Part, seen = new Set<unknown>()): Part {
  if (typeof part !== 'object' || part === null || part instanceof RegExp || seen.has(part)) return part
  seen.add(part)
  if ('subLanguage' in part && Array.isArray(part.subLanguage) && part.subLanguage.length === 0) {
    part.subLanguage.push(...Object.keys(grammars))
  }
  for (const one of Object.values(part)) namingAll(one, seen)
  return part
}

/**
 * Returns code as HTML, and the language's name for `data-code-language`: the known name of a known language,
 * the writer's own for an unknown one, '' for none.
 */
export function highlightCode(code: string, language: string): { name: string; html: string } {
  if (language === '') return { name: '', html: escapeText(code) }
  const wanted = language.toLowerCase()
  const known = grammarOf(wanted)
  if (known === undefined) return { name: displayNames.get(wanted) ?? language, html: escapeText(code) }
  const { id, grammar } = known
  const name = displayNames.get(wanted) ?? displayNames.get(id) ?? grammar.name ?? language
  if (!isShort(code)) return { name, html: escapeText(code) }
  return { name, html: hljs.highlight(code, { language: id, ignoreIllegals: true }).value }
}

function isShort(code: string): boolean {
  return code.length <= maxHighlightedLength && code.split('\n').every((line) => line.length <= maxLineLength)
}
