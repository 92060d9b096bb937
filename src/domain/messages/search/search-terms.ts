import type { NarrowTerm } from '../narrow/narrow-terms.ts'

/** What a narrow looks for in source and topic of messages. Needles are in lower case. */
export interface SearchTerms {
  /** Every one must be contained, each in the source or in the topic. */
  readonly all: readonly string[]
  /** Of each of these groups something must be missing: negated terms. */
  readonly none: readonly (readonly string[])[]
}

/** What is said after so many words does not narrow the search further: each costs work for every topic. */
const MOST_NEEDLES = 30

/** The `search` terms of a narrow; undefined when it has none. */
export function searchTermsOf(terms: readonly NarrowTerm[]): SearchTerms | undefined {
  const found = terms.filter(({ operator }) => operator === 'search')
  if (found.length === 0) return undefined
  return {
    all: [
      ...new Set(found.filter(({ negated }) => !negated).flatMap(({ operand }) => needlesOf(operand))),
    ].slice(0, MOST_NEEDLES),
    none: found
      .filter(({ negated }) => negated)
      .map(({ operand }) => needlesOf(operand))
      .filter((needles) => needles.length > 0),
  }
}

/** Words, and what stands in quotation marks as one. */
function needlesOf(operand: NarrowTerm['operand']): string[] {
  const needles: string[] = []
  for (const [, quoted, word] of String(operand).matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
    const needle = (quoted ?? word ?? '').replaceAll('\0', '').trim().toLowerCase()
    if (needle !== '') needles.push(needle)
  }
  return needles.slice(0, MOST_NEEDLES)
}
