/** A part of an RE2 pattern, besides classes and quoted text. */
const PART =
  /\\[pPx]\{[^}]{0,40}\}|\\[pP]?.|\(\?[a-zA-Z-]{0,9}\)|\(\?[^:)>]{0,40}[:>]?|\{(?<least>\d{1,4})(?:,(?<most>\d{0,4}))?\}|./suy
const PART_OF_CLASS = /\\.|\[:\^?\w{1,10}:\]|[^\]]/suy

/** Parts that modify others: repetitions that allow none or a single one, and flags. */
const OF_OTHERS = /^(?:[*+?]|\(\?[a-zA-Z-]*\))$/
/** Parts that match without reading a character. */
const READS_NOTHING = /^(?:[\^$]|\\[AzbB])$/

/** The part of a group read so far: the current alternative, its last part, and the longest earlier alternative. */
interface Group {
  parts: number
  last: number
  longest: number
}

/**
 * Returns a lower bound of the pattern's instructions: one for each character, as often as it is repeated. Compiling a pattern of a
 * thousand characters, only to find it too large, took up to 2.7 s.
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
      // Only the last quoted character is repeated.
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

/** Returns the position after a class, whose first character may be a literal bracket. */
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

/** Limit of the instructions of all rules of an organization. A rule for issue numbers has about twenty, one for digests ninety. */
export const MAX_PROGRAMS = 20_000

/**
 * Limit of linkifier matching for one message: instructions times characters read, which take 3 to 40 ns each. A rule for issue numbers
 * or digests needs 100,000 to 200,000 for a message of ten thousand characters, however many links it makes, unless it may read on beyond
 * them. Text beyond the limit gets no links, in this message and always.
 */
const MAX_WORK = 1_200_000

/** The remaining matching for a message. */
export interface MatchingBudget {
  left: number
}

export function newMatchingBudget(left = MAX_WORK): MatchingBudget {
  return { left }
}
