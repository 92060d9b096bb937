import type { Emitter, Language } from 'highlight.js'
import hljs from 'highlight.js/lib/core'
import { escapeText } from './html-parts.ts'
import { grammars, languageNamed } from './languages.ts'
import type { FirstUse } from './render-types.ts'

/** Limit of the code coloured, in characters. Longer code stays plain: grammars are regular expressions, which take too much time. */
const maxHighlightedLength = 10_000
/** Limit of a line. Grammars look ahead within a line, some again from each of its characters. */
const maxLineLength = 1000
/** Limit of the languages of a message: the first use of each takes about 10 ms, since its patterns are compiled. */
const maxLanguages = 5

/**
 * Classes for the highlighter's scopes. Clients style (and one of them requires) the short classes of the public server's highlighter:
 * `k` for keywords, `s` for strings.
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

/** Collects the highlighter's output as a flat list of texts, each with the class of its innermost scope. */
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

  /** Returns the class of a title: older grammars distinguish a class's name from a function's only by the surrounding scope. */
  titleClass(): string {
    const around = this.scopes.findLast(({ name }) => name === 'class' || name === 'function')
    return around === undefined ? 'nx' : around.name === 'class' ? 'nc' : 'nf'
  }

  /** The highlighter calls each of these two methods by two names. */
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
 * Returns a language's grammar, registered with those of the languages embedded in it. They are made at first use, since making all takes
 * as long as rendering a long message.
 */
function grammarOf(id: string): Language {
  return hljs.getLanguage(id) ?? register(id)
}

/** Weight of a language's first use: 6 to 20 ms. */
const OF_A_LANGUAGE = 20
/** The first line of a fence: its language. */
const FENCE = /^[ >]*(?:`{3,}|~{3,}) *([^\s`]+)/gm

/** Returns the pending first uses of a text's languages, up to the limits of colouring. */
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

/** Makes the grammar, and compiles the patterns with which code may begin. */
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

/** Lists the embedded languages where the grammar allows any: the highlighter would try all, which takes half a second. */
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
  /**
   * The language's name for `data-code-language`: the canonical name of a known language, the author's own for an unknown one, '' for none.
   */
  readonly name: string
  readonly html: string
}

/**
 * Returns code as HTML.
 * @param colored languages already coloured in the same message
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

/**
 * How often a part of a pattern may repeat: a single character, such as a letter; any character, or all but some, to the end of a line;
 * and a group, of which those with inner repetitions, such as words with spaces after them, cost most. Real code does not have more.
 */
const MOST = { sign: 100, anySign: 1_000, group: 100, groupOfAnySigns: 300, groupOfRepetitions: 12 } as const

/** Properties of grammar rules that hold patterns. */
const PATTERNS = ['begin', 'end', 'match', 'illegal', 'beforeMatch', '$pattern']

/** The relevant parts of a pattern: escapes, the start of a set or a group, and repetition operators. */
const PARTS = /\\.|\[\^?|\(\?|[*+]|\{(\d+),\}|./gs

/**
 * Returns a grammar without unbounded repetitions. The highlighter tries patterns from each character, so a pattern that looks ahead as
 * far as it can takes quadratic time: 10,000 letters took half a second.
 */
export function boundedGrammar<Part>(grammar: Part): Part {
  return copyOf(grammar, '', new Map()) as Part
}

/** @param name of the property. */
function copyOf(part: unknown, name: string, copies: Map<object, unknown>): unknown {
  if (typeof part === 'string') return PATTERNS.includes(name) ? boundedPattern(part) : part
  // The highlighter also accepts a pattern as a text, and sets the flags itself.
  if (part instanceof RegExp) return boundedPattern(part.source)
  if (typeof part !== 'object' || part === null) return part
  const known = copies.get(part)
  if (known !== undefined) return known
  const copy: Record<string, unknown> | unknown[] = Array.isArray(part) ? [] : {}
  // Rules refer to each other.
  copies.set(part, copy)
  for (const [key, value] of Object.entries(withBegin(part))) {
    Object.assign(copy, { [key]: copyOf(value, Array.isArray(part) ? name : key, copies) })
  }
  return copy
}

/**
 * Returns a rule that begins with words with the pattern that the highlighter would make of them. The highlighter checks for a preceding
 * dot only after finding a word, and would then search the rest of the text for the other rules, at each of these words.
 */
function withBegin(rule: object): object {
  if ('variants' in rule && Array.isArray(rule.variants)) {
    // A variant would inherit these from its rule, unless it has its own.
    const { keywords, relevance } = rule as Rule
    const common = {
      ...(keywords !== undefined && { keywords }),
      ...(relevance !== undefined && { relevance }),
    }
    return { ...rule, variants: rule.variants.map((variant: object) => ({ ...common, ...variant })) }
  }
  if (!('beginKeywords' in rule)) return rule
  const { beginKeywords, ...rest } = rule
  const words = String(beginKeywords)
  const begin = `(?<!\\.)\\b(${words.split(' ').join('|')})(?!\\.)(?=\\b|\\s)`
  return { keywords: words, relevance: 0, ...rest, begin }
}

interface Rule {
  readonly keywords?: unknown
  readonly relevance?: unknown
}

/**
 * A type argument in the Java grammar: a question mark, optionally with a bounding type, or the type alone. Types have arguments in turn,
 * so the grammar has each 64 times at three levels, which took 30 ms to compile.
 */
const TYPE_ARGUMENT = /\(\?:\\\?\(\?:(\\s\+\(\?:extends\|super\)\\s\+)(.+?)\)\?\|\2\)/g

/** Returns an equivalent pattern that has the type of a type argument once. */
function withTypesOnce(source: string): string {
  const shorter = source.replace(TYPE_ARGUMENT, '(?:(?:\\?$1)?$2|\\?)')
  return shorter === source ? source : withTypesOnce(shorter)
}

/** Returns the pattern with a bound on each repetition. */
export function boundedPattern(pattern: string): string {
  const source = withTypesOnce(pattern)
  const groups: { hasAny: boolean; hasRepetition: boolean }[] = []
  let before: keyof typeof MOST = 'sign'
  let isInSet = false
  return source.replaceAll(PARTS, (part, from: string | undefined) => {
    if (isInSet) {
      isInSet = part !== ']'
      return part
    }
    const least = part === '*' ? 0 : part === '+' ? 1 : from === undefined ? undefined : Number(from)
    if (least !== undefined) {
      for (const group of groups) group.hasRepetition = true
      return `{${least},${Math.max(least, MOST[before])}}`
    }
    isInSet = part.startsWith('[')
    if (part.startsWith('(')) groups.push({ hasAny: false, hasRepetition: false })
    if (part === ')') {
      const { hasAny = false, hasRepetition = false } = groups.pop() ?? {}
      before = hasRepetition ? 'groupOfRepetitions' : hasAny ? 'groupOfAnySigns' : 'group'
    } else before = part === '.' || part === '[^' ? 'anySign' : 'sign'
    const around = groups.at(-1)
    if (around && before === 'anySign') around.hasAny = true
    return part
  })
}
