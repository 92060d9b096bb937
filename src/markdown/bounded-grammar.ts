/**
 * How often a part of a pattern may be repeated: a sign, such as a letter; any sign, or any but some, to the end of a line; and a group,
 * of which those that have repetitions in them, such as words with spaces after them, cost most. More does not occur in what people write.
 */
const MOST = { sign: 100, anySign: 1_000, group: 100, groupOfAnySigns: 300, groupOfRepetitions: 12 } as const

/** Properties of a grammar's rules whose strings are patterns. */
const PATTERNS = ['begin', 'end', 'match', 'illegal', 'beforeMatch', '$pattern']

/** The parts of a pattern that matter: what is escaped, the beginning of a set or a group, and a sign that repeats what is before it. */
const PARTS = /\\.|\[\^?|\(\?|[*+]|\{(\d+),\}|./gs

/**
 * Returns a grammar whose patterns repeat nothing without end. The highlighter tries patterns from each character on, so that one which
 * looks ahead as far as it can takes time with the square of the text: 10,000 letters took half a second.
 */
export function boundedGrammar<Part>(grammar: Part): Part {
  return copyOf(grammar, '', new Map()) as Part
}

/** @param name of the property. */
function copyOf(part: unknown, name: string, copies: Map<object, unknown>): unknown {
  if (typeof part === 'string') return PATTERNS.includes(name) ? boundedPattern(part) : part
  // The highlighter takes a pattern as a text too, and sets the flags itself.
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
 * Returns a rule that begins with words with the pattern that the highlighter would make of them. After a dot, which it looks for when
 * it has found a word, it would search the rest of the text for the other rules, at each such word.
 */
function withBegin(rule: object): object {
  if ('variants' in rule && Array.isArray(rule.variants)) {
    // A variant would get these of its rule, unless it has its own.
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
 * A type argument of Java as its grammar has it: a question mark, which a bound with a type may follow, or the same type alone. Types have
 * arguments again, so that it has each three levels deep 64 times, which took 30 ms to compile.
 */
const TYPE_ARGUMENT = /\(\?:\\\?\(\?:(\\s\+\(\?:extends\|super\)\\s\+)(.+?)\)\?\|\2\)/g

/** Returns a pattern that matches the same, and has the type of a type argument once. */
function withTypesOnce(source: string): string {
  const shorter = source.replace(TYPE_ARGUMENT, '(?:(?:\\?$1)?$2|\\?)')
  return shorter === source ? source : withTypesOnce(shorter)
}

/** Returns the pattern with an end for each repetition. */
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
