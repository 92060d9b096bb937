import type { Emitter, Language } from 'highlight.js'
import hljs from 'highlight.js/lib/core'
import { boundedGrammar } from './bounded-grammar.ts'
import { escapeText } from './escape.ts'
import type { FirstUse } from './first-use.ts'
import { grammars, languageNamed } from './languages.ts'

/**
 * Length of code up to which it is coloured. Longer code has no colours: grammars are regular expressions,
 * which take too much time.
 */
const maxHighlightedLength = 10_000
/** Length of a line. Grammars look ahead within a line, some of them again from each of its characters. */
const maxLineLength = 1000
/** Languages of a message: the first use of each takes some 10 ms, since its patterns are made into programs. */
const maxLanguages = 5

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
 * Returns a language's grammar, registered with those of the languages inside it. At their first use, since making all takes as long as
 * rendering a long message.
 */
function grammarOf(id: string): Language {
  return hljs.getLanguage(id) ?? register(id)
}

/** Weight of the first use of a language: 6 to 20 ms. */
const OF_A_LANGUAGE = 20
/** The first line of a fence: its language. */
const FENCE = /^[ >]*(?:`{3,}|~{3,}) *([^\s`]+)/gm

/** Returns the first uses of the languages of a text that it has not used yet, as far as a message is coloured. */
export function firstUsesOfLanguages(source: string): FirstUse[] {
  const ids = new Set<string>()
  for (const [, language = ''] of source.matchAll(FENCE)) {
    const id = languageNamed(language)?.grammar
    if (id !== undefined && ids.size < maxLanguages) ids.add(id)
  }
  return [...ids]
    .filter((id) => !hljs.getLanguage(id))
    .map((id) => ({ name: id, weight: OF_A_LANGUAGE, use: () => use(id) }))
}

/** Makes the grammar, and the programs of the patterns with which code may begin. */
function use(id: string): void {
  grammarOf(id)
  hljs.highlight('a', { language: id, ignoreIllegals: true })
}

function register(id: string): Language {
  const { grammar, inside = [] } = grammars[id]!
  hljs.registerLanguage(id, (api) => namingThoseInside(boundedGrammar(grammar(api)), inside))
  for (const one of inside) {
    if (!hljs.getLanguage(one)) register(one)
  }
  return hljs.getLanguage(id)!
}

/** Names the languages where any may stand inside this one: the highlighter would try all, which takes half a second. */
function namingThoseInside<Part>(part: Part, inside: readonly string[], seen = new Set<unknown>()): Part {
  if (typeof part !== 'object' || part === null || seen.has(part)) return part
  seen.add(part)
  if ('subLanguage' in part && Array.isArray(part.subLanguage) && part.subLanguage.length === 0) {
    part.subLanguage.push(...inside)
  }
  for (const one of Object.values(part)) namingThoseInside(one, inside, seen)
  return part
}

export interface HighlightedCode {
  /** The language's name for `data-code-language`: the known name of a known language, the writer's own for an unknown one, '' for none. */
  readonly name: string
  readonly html: string
}

/**
 * Returns code as HTML.
 *
 * @param colored languages of the code that was coloured before in the same message.
 */
export function highlightCode(
  code: string,
  language: string,
  colored: Set<string> = new Set(),
): HighlightedCode {
  if (language === '') return { name: '', html: escapeText(code) }
  const { grammar: id, name: known } = languageNamed(language) ?? { grammar: undefined, name: language }
  if (id === undefined) return { name: known ?? language, html: escapeText(code) }
  const isColored = isShort(code) && (colored.has(id) || colored.size < maxLanguages)
  const name = known ?? nameOf(id)
  if (!isColored) return { name, html: escapeText(code) }
  colored.add(id)
  grammarOf(id)
  return { name, html: hljs.highlight(code, { language: id, ignoreIllegals: true }).value }
}

/** Names of grammars. One is made for its name once: a message may have hundreds of blocks of code that get no colours. */
const names = new Map<string, string>()

function nameOf(id: string): string {
  const name = names.get(id) ?? (hljs.getLanguage(id) ?? grammars[id]!.grammar(hljs)).name ?? id
  names.set(id, name)
  return name
}

function isShort(code: string): boolean {
  return code.length <= maxHighlightedLength && code.split('\n').every((line) => line.length <= maxLineLength)
}
