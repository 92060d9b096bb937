import { RE2JS } from 're2js'
import { parseTemplate } from 'url-template'
import { leastProgramOf, type MatchingBudget } from './least-program.ts'
import type { FirstUse } from './render-types.ts'
import { isAllowedLink } from './rules/links.ts'

/** A realm's rule that turns a pattern's matches into links. `urlTemplate` follows RFC 6570. */
export interface Linkifier {
  id: number
  pattern: string
  urlTemplate: string
}

/** A match of a linkifier: `[start, end)` in UTF-16 units, the matched text and the link's target. */
export interface LinkifierMatch {
  start: number
  end: number
  text: string
  url: string
}

/**
 * The prefix of every pattern. A match is separate from words: at the start of the text, or after whitespace or one of `'"(,:<`, and not
 * before a letter or digit. Group 1 is the character before it, group 2 the match. Clients, which render a message by these rules before
 * it is sent, use the same.
 */
const before = `(^|[\\s\\x{0085}\\pZ'"(,:<])`
const after = '(?:$|[^\\pL\\pN])'

/**
 * Limit of a search's work, as a multiple of the text: the search for a short match may read on to the end of the text, and there may be
 * as many matches as characters. The limit keeps the work linear in the text.
 */
const maxReadings = 100
/** Limit of a compiled pattern, in instructions: the work is also linear in the pattern's size. */
const maxProgram = 5000
/**
 * Limit of the instructions of all cached compiled rules, 210 bytes each. A rule counts for `PROGRAM_OF_A_RULE` more, since it takes
 * about 7 kB besides.
 */
const maxCompiled = 60_000
const PROGRAM_OF_A_RULE = 35

/** The number of groups that doubles the time of a search, which keeps the position of each for every active instruction. */
const GROUPS_OF_ONE_MORE = 20
/** Fraction of instructions times characters that each search clears before it begins. */
const CLEARED = 1 / 4_000
/** Work of an instruction of the prefix, which a search tries at each character without keeping a position. */
const OF_A_BEGINNING = 1 / 3
/** Limit of the instructions examined to determine a rule's width. */
const MAX_WIDTH_WORK = 50_000

type Compiled = {
  regex: RE2JS
  template: ReturnType<typeof parseTemplate>
  names: string[]
  /** Instructions. */
  size: number
  /** The work of a search for each character read, in instructions. */
  weight: number
  isFar: boolean
}

/** Compiled linkifiers by pattern and template; undefined for unusable ones. */
const compiled = new Map<string, Compiled | undefined>()
let compiledSize = 0

function compileLinkifier(linkifier: Linkifier): Compiled | undefined {
  const { pattern, urlTemplate } = linkifier
  const key = keyOf(linkifier)
  if (compiled.has(key)) return compiled.get(key)
  let result: Compiled | undefined
  try {
    if (leastProgramOf(pattern) > maxProgram) throw new Error(TOO_LARGE)
    const regex = RE2JS.compile(`${before}(${pattern})${after}`)
    const size = regex.programSize()
    if (size <= maxProgram) {
      const isFar = readsFar(pattern)
      result = {
        regex,
        template: parseTemplate(urlTemplate),
        names: Object.keys(regex.namedGroups()),
        size,
        weight:
          ((isFar ? undefined : widthOf(regex)) ?? size) * (1 + regex.groupCount() / GROUPS_OF_ONE_MORE),
        isFar,
      }
    }
  } catch {
    // If the library ever refuses a rule, messages must still be sent.
  }
  const added = PROGRAM_OF_A_RULE + (result?.size ?? 0)
  if (compiledSize + added > maxCompiled) {
    compiled.clear()
    compiledSize = 0
  }
  compiledSize += added
  compiled.set(key, result)
  return result
}

/** Instructions equivalent to the base cost of compiling any rule. */
const OF_ONE_MORE_WEIGHT = 250

/** Returns the pending compilations of the rules that are not cached; with a text, only those that it needs. */
export function firstUsesOfLinkifiers(linkifiers: readonly Linkifier[], text?: string): FirstUse[] {
  return linkifiers
    .filter(
      (linkifier) => !compiled.has(keyOf(linkifier)) && (text === undefined || mayMatch(linkifier, text)),
    )
    .map((linkifier) => ({
      name: keyOf(linkifier),
      weight: 1 + leastProgramOf(linkifier.pattern) / OF_ONE_MORE_WEIGHT,
      use: () => compileLinkifier(linkifier),
    }))
}

function keyOf({ pattern, urlTemplate }: Linkifier): string {
  return `${pattern}\n${urlTemplate}`
}

/** The literal prefix of each rule's matches, used for texts of many pieces and the hundreds of topics of a page. */
const beginnings = new WeakMap<Linkifier, string>()

function mayMatch(linkifier: Linkifier, text: string): boolean {
  const beginning = beginnings.get(linkifier) ?? beginningOf(linkifier.pattern)
  beginnings.set(linkifier, beginning)
  return text !== '' && text.includes(beginning)
}

/** Returns the total instructions of these rules. */
export function programsOf(linkifiers: readonly Linkifier[]): number {
  return linkifiers.reduce((sum, linkifier) => sum + (compileLinkifier(linkifier)?.size ?? 0), 0)
}

/**
 * Returns the literal text with which every match of a pattern begins: most rules begin with a fixed character or name, and need not be
 * tried or compiled for texts without it. '' if unknown.
 */
function beginningOf(pattern: string): string {
  if (pattern.includes('|')) return ''
  const [plain = ''] = /^[\w#:!@~ ,;=&%"'<>-]*/.exec(pattern) ?? []
  // The last character may be repeated any number of times.
  return /^[?*+{]/.test(pattern.slice(plain.length)) ? plain.slice(0, -1) : plain
}

/**
 * Whether a search may read on beyond a match and the word around it: the pattern may match word separators (`before`), or it is not
 * obvious.
 */
function readsFar(pattern: string): boolean {
  let isInClass = false
  for (let at = 0; at < pattern.length; at += 1) {
    const sign = pattern[at]!
    if (sign === '\\') {
      at += 1
      if (!'dw./#+-'.includes(pattern[at] ?? ' ')) return true
    } else if (isInClass) {
      if (sign === ']') isInClass = false
      else if (separates(sign) || sign === '(') return true
      else if (
        sign === '-' &&
        pattern[at - 1] !== '[' &&
        pattern[at + 1] !== ']' &&
        !isWordRange(pattern.slice(at - 1, at + 2))
      )
        return true
    } else if (sign === '[') {
      isInClass = true
      if ('^]'.includes(pattern[at + 1] ?? ']')) return true
    } else if (sign === '{' || (sign === '(' && pattern[at + 1] === '?')) {
      const end = at + pattern.slice(at).search(sign === '{' ? '}' : '[>:)]')
      if (end <= at || !isPlain(pattern.slice(at + 2, end))) return true
      at = end
    } else if (separates(sign) || sign === '.') return true
  }
  return false
}

/** Whether a class range has only ASCII letters or digits: others may contain word separators. */
function isWordRange(range: string): boolean {
  return /^(?:[0-9]-[0-9]|[a-z]-[a-z]|[A-Z]-[A-Z])$/.test(range)
}

function separates(sign: string): boolean {
  return `'",:<\u0085`.includes(sign) || sign.trim() === ''
}

/** Whether it is inside a repetition count, or the start of a group. */
function isPlain(text: string): boolean {
  return [...text].every((sign) => /[\w,<]/.test(sign))
}

/**
 * Returns the maximum number of instructions active at any character of a word. A search runs through these at each character, not
 * through the whole rule: forty equal characters are forty instructions, of which one is active. Only for rules that read no further than
 * a word, in which no second match begins. Undefined if finding out takes too long.
 */
function widthOf(regex: RE2JS): number | undefined {
  const { prog } = regex.re2()
  const beginning = reachable(prog, [prog.start])
  const seen = new Set<string>()
  let [width, work] = [0, 0]
  for (let at = afterCharacter(prog, beginning); !seen.has(at.join()); at = afterCharacter(prog, at)) {
    seen.add(at.join())
    width = Math.max(width, at.length)
    work += at.length
    if (work > MAX_WIDTH_WORK) return undefined
  }
  return width + beginning.length * OF_A_BEGINNING
}

function afterCharacter(prog: Program, at: readonly number[]): number[] {
  const reading = at.map((index) => instructionOf(prog, index)).filter(({ op }) => READS.includes(op))
  return reachable(
    prog,
    reading.map(({ out }) => out),
  )
}

/** Returns the instructions reachable without reading a character, ascending. */
function reachable(prog: Program, from: readonly number[]): number[] {
  const found = new Set<number>()
  const open = [...from]
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (found.has(index)) continue
    found.add(index)
    const { op, out, arg } = instructionOf(prog, index)
    if (ALTERNATIVES.includes(op)) open.push(out, arg)
    else if (!READS.includes(op) && !ENDS.includes(op)) open.push(out)
  }
  return [...found].sort((a, b) => a - b)
}

type Program = ReturnType<RE2JS['re2']>['prog']

/** An instruction: its operation, the next one, and for alternatives the other one. */
interface Instruction {
  readonly op: number
  readonly out: number
  readonly arg: number
}

/** The library's opcodes of alternatives, of reading a character, and of the end of a search. */
const ALTERNATIVES = [1, 2]
const READS = [8, 9, 10, 11]
const ENDS = [5, 6]

function instructionOf(prog: Program, index: number): Instruction {
  return prog.getInst(index) as Instruction
}

/** Returns the matches of one linkifier in a text, from left to right, without overlap. */
function matchesOf(linkifier: Linkifier, text: string, budget: MatchingBudget): LinkifierMatch[] {
  if (!mayMatch(linkifier, text)) return []
  const rule = compileLinkifier(linkifier)
  if (rule === undefined) return []
  const matches: LinkifierMatch[] = []
  const matcher = rule.regex.matcher(text)
  const cleared = rule.size * text.length * CLEARED
  let from = 0
  let toRead = maxReadings * text.length
  while (toRead > 0 && from <= text.length) {
    const work = rule.weight * (text.length - from) + cleared
    if (work > budget.left) break
    const isFound = matcher.find(from)
    const end = isFound ? matcher.end(2) : text.length
    budget.left -= rule.isFar ? work : rule.weight * (end - from + 1) + cleared
    if (!isFound) break
    toRead -= rule.isFar ? text.length - from : end - from + 1
    const start = matcher.start(2)
    if (end > start) {
      const url = expand(rule, (name) => matcher.group(name))
      if (url !== undefined) matches.push({ start, end, text: text.slice(start, end), url })
    }
    // The character after a match may also be the one before the next.
    from = Math.max(end, from + 1)
  }
  return matches
}

function expand(rule: Compiled, group: (name: string) => string | null): string | undefined {
  const values: Record<string, string> = {}
  for (const name of rule.names) {
    const value = group(name)
    if (value !== null) values[name] = value.toWellFormed()
  }
  const url = rule.template.expand(values)
  return url !== '' && isAllowedLink(url) ? url : undefined
}

/**
 * Returns the matches of all linkifiers in a text, sorted by position. Of overlapping ones, that of the linkifier listed first stays.
 * Matches beyond the budget are not found.
 */
export function findLinkifierMatches(
  text: string,
  linkifiers: readonly Linkifier[],
  budget: MatchingBudget,
): LinkifierMatch[] {
  let found: LinkifierMatch[] = []
  for (const linkifier of linkifiers) {
    const matches = matchesOf(linkifier, text, budget)
    if (matches.length > 0) found = mergeFree(found, matches)
  }
  return found
}

/** Adds the `matches` that overlap none of `found`; both are sorted, as is the result. */
function mergeFree(found: LinkifierMatch[], matches: LinkifierMatch[]): LinkifierMatch[] {
  const merged: LinkifierMatch[] = []
  let next = 0
  for (const match of matches) {
    while (next < found.length && found[next]!.end <= match.start) merged.push(found[next++]!)
    if (next >= found.length || match.end <= found[next]!.start) merged.push(match)
  }
  merged.push(...found.slice(next))
  return merged
}

/** Errors of a new linkifier; {} without errors. The names are the API's. */
export interface LinkifierErrors {
  /** Error of the pattern, or of pattern and template together. */
  __all__?: string
  url_template?: string
}

/**
 * Checks a linkifier: the pattern is a regular expression of RE2's syntax that matches something, the template is a URL template, and
 * both use the same names (docs/interface/organization.md#linkifiers; the texts are the API's).
 */
export function linkifierErrors(pattern: string, urlTemplate: string): LinkifierErrors {
  const regex = tryCompile(pattern)
  const variables = templateVariables(urlTemplate)
  if (typeof regex === 'string' || variables === undefined) {
    return {
      ...(typeof regex === 'string' ? { __all__: `Bad regular expression: ${regex}` } : {}),
      ...(variables === undefined ? { url_template: 'Invalid URL template.' } : {}),
    }
  }
  const groups = Object.keys(regex.namedGroups())
  const missingGroup = variables.find((name) => !groups.includes(name))
  if (missingGroup !== undefined) {
    return { __all__: `Group '${missingGroup}' in URL template is not present in linkifier pattern.` }
  }
  const unused = groups.find((name) => !variables.includes(name))
  if (unused !== undefined) {
    return { __all__: `Group '${unused}' in linkifier pattern is not present in URL template.` }
  }
  return {}
}

const TOO_LARGE = 'pattern too large - compile failed'

function tryCompile(pattern: string): RE2JS | string {
  if (leastProgramOf(pattern) > maxProgram) return TOO_LARGE
  try {
    // The pattern is first compiled alone, so that its unbalanced brackets cannot match those around it.
    RE2JS.compile(pattern)
    const regex = RE2JS.compile(`${before}(${pattern})${after}`)
    if (regex.programSize() > maxProgram) return TOO_LARGE
    return regex
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
  }
}

/**
 * Returns the names of the variables of a URL template; undefined if it is invalid, or could lead to anything but a website: clients make
 * links of it without a check of their own.
 */
export function templateVariables(template: string): string[] | undefined {
  if (!/^https?:\/\//i.test(template)) return undefined
  const names = new Set<string>()
  // Split at every brace, a template alternates between literal text and expressions.
  const parts = template.split(/([{}])/)
  let inside = false
  for (const part of parts) {
    if (part === '{' || part === '}') {
      if ((part === '{') === inside) return undefined
      inside = part === '{'
    } else if (inside) {
      if (!addVariables(part, names)) return undefined
    }
  }
  return inside ? undefined : [...names]
}

/** Adds the variables of an expression: an operator, then names with a prefix length or an explode sign. */
function addVariables(expression: string, names: Set<string>): boolean {
  for (const variable of expression.replace(/^[+#./;?&]/, '').split(',')) {
    const match = /^([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)(?:\*|:[1-9]\d{0,3})?$/.exec(variable)
    if (match === null) return false
    names.add(match[1]!)
  }
  return true
}
