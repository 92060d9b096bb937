/** The parts of a pattern of RE2; a bracket alone begins a class that does not end. */
const PARTS =
  /\\Q(?<quoted>.*?)(?:\\E|$)|\\[pPx]\{[^}]*\}|\\[pP]?.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\(\?[a-zA-Z-]*\)|\(\?[^:)>]*[:>]?|\{(?<least>\d+)(?:,(?<most>\d*))?\}|./gsu

/** Parts that say something of others: repetitions that may be left out, or once is enough for, and flags. */
const OF_OTHERS = /^(?:[*+?]|\(\?[a-zA-Z-]*\))$/
/** Parts that match without reading a character. */
const READS_NOTHING = /^(?:[\^$]|\\[AzbB])$/

/** What has been read of a group: the parts of its present alternative, the last of them, and the longest alternative before. */
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
  for (const { 0: part, groups: named } of pattern.matchAll(PARTS)) {
    const group = groups.at(-1)!
    if (part === '[') break
    if (OF_OTHERS.test(part)) continue
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
    } else if (named?.quoted !== undefined) {
      // Only the last quoted sign is repeated.
      group.parts += named.quoted.length
      group.last = Math.min(1, named.quoted.length)
    } else add(group, READS_NOTHING.test(part) ? 0 : 1)
  }
  for (const group of groups) endAlternative(group)
  return groups.reduce((sum, { longest }) => sum + longest, 0)
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
