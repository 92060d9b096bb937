/** A part of a pattern of RE2, besides classes and what is quoted. */
const PART =
  /\\[pPx]\{[^}]{0,40}\}|\\[pP]?.|\(\?[a-zA-Z-]{0,9}\)|\(\?[^:)>]{0,40}[:>]?|\{(?<least>\d{1,4})(?:,(?<most>\d{0,4}))?\}|./suy
/** A part of a class. */
const PART_OF_CLASS = /\\.|\[:\^?\w{1,10}:\]|[^\]]/suy

/** Parts that say something of others: repetitions that may be left out, or once is enough for, and flags. */
const OF_OTHERS = /^(?:[*+?]|\(\?[a-zA-Z-]*\))$/
/** Parts that match without reading a character. */
const READS_NOTHING = /^(?:[\^$]|\\[AzbB])$/

/** The part of a group that has been read: the parts of its present alternative, the last of them, and the longest alternative before. */
interface Group {
  parts: number
  last: number
  longest: number
}

/**
 * Returns a number of instructions that the pattern has at least: one for each sign, as often as it is repeated. Compiling a thousand
 * characters of pattern, to find that it is too large, took up to 2.7 s.
 */
export function leastProgramOf(pattern: string): number {
  const groups: Group[] = [newGroup()]
  for (let at = 0; at < pattern.length; ) {
    const group = groups.at(-1)!
    if (pattern[at] === '[') {
      at = endOfClass(pattern, at)
      add(group, 1)
    } else if (pattern.startsWith('\\Q', at)) {
      const end = pattern.indexOf('\\E', at)
      const quoted = pattern.slice(at + 2, end < 0 ? undefined : end).length
      // Only the last quoted sign is repeated.
      group.parts += quoted
      group.last = Math.min(1, quoted)
      at = end < 0 ? pattern.length : end + 2
    } else {
      PART.lastIndex = at
      const part = PART.exec(pattern)
      if (part === null) break
      at = PART.lastIndex
      read(part, groups)
    }
  }
  for (const group of groups) endAlternative(group)
  return groups.reduce((sum, { longest }) => sum + longest, 0)
}

/** Returns the position after a class, which may begin with a bracket that closes none. */
function endOfClass(pattern: string, start: number): number {
  let at = start + (pattern[start + 1] === '^' ? 2 : 1)
  if (pattern[at] === ']') at++
  while (at < pattern.length && pattern[at] !== ']') {
    PART_OF_CLASS.lastIndex = at
    if (!PART_OF_CLASS.test(pattern)) break
    at = PART_OF_CLASS.lastIndex
  }
  return at + 1
}

function read({ 0: part, groups: named }: RegExpExecArray, groups: Group[]): void {
  const group = groups.at(-1)!
  if (OF_OTHERS.test(part)) return
  if (part.startsWith('(')) groups.push(newGroup())
  else if (part === '|') endAlternative(group)
  else if (part === ')') {
    if (groups.length > 1) groups.pop()
    endAlternative(group)
    add(groups.at(-1)!, group.longest)
  } else if (named?.least !== undefined) {
    const times = Math.max(Number(named.least), Number(named.most || 0), named.most === '' ? 1 : 0)
    group.parts += group.last * (times - 1)
    group.last *= times
  } else add(group, READS_NOTHING.test(part) ? 0 : 1)
}

function newGroup(): Group {
  return { parts: 0, last: 0, longest: 0 }
}

function add(group: Group, instructions: number): void {
  group.parts += instructions
  group.last = instructions
}

function endAlternative(group: Group): void {
  group.longest = Math.max(group.longest, group.parts)
  group.parts = 0
  group.last = 0
}

/** Instructions of all rules of an organization together. A rule for the numbers of issues has some twenty, one for digests ninety. */
export const MAX_PROGRAMS = 20_000

/**
 * Limit of the matching of linkifiers for one message: instructions times characters that are read, which take 3 to 40 ns each. A
 * rule for numbers of issues or digests needs 100,000 to 200,000 for a message of ten thousand characters, however many links it makes,
 * unless it may read on beyond them. What comes after the limit is no link, in this message and always.
 */
const MAX_WORK = 1_200_000

/** The matching that is left for a message. */
export interface MatchingBudget {
  left: number
}

export function newMatchingBudget(left = MAX_WORK): MatchingBudget {
  return { left }
}
