import { BadNarrowError } from '../../../core/errors.ts'
import type { NarrowTerm } from '../narrow/narrow-terms.ts'

/** Needles that a narrow looks for in source and topic of messages. Needles are in lower case. */
export interface SearchTerms {
  /** Needles that must all be found, each in the source or in the topic. */
  readonly all: readonly string[]
  /** Groups of negated terms: at least one needle of each must be missing. */
  readonly none: readonly (readonly string[])[]
}

/**
 * Number of needles of a search. More words do not narrow it further, and each costs work for every topic.
 */
const MAX_NEEDLES = 30
/**
 * Length of a needle, in UTF-16 code units; a message has 10,000. A long pasted text is found by its
 * beginning.
 */
const MAX_NEEDLE_LENGTH = 500

/**
 * Returns the `search` terms of a narrow; undefined without any.
 * @throws BadNarrowError for too many negated words.
 */
export function searchTermsOf(terms: readonly NarrowTerm[]): SearchTerms | undefined {
  const found = terms.filter(({ operator }) => operator === 'search')
  if (found.length === 0) return undefined
  const none = found
    .filter(({ negated }) => negated)
    .map(({ operand }) => needlesOf(operand))
    .filter((needles) => needles.length > 0)
  // Wanted words may be left out, which finds more; unwanted ones may not.
  if (new Set(none.flat()).size > MAX_NEEDLES) {
    throw new BadNarrowError('too many words in negated searches', 'operator combination')
  }
  return {
    all: [
      ...new Set(found.filter(({ negated }) => !negated).flatMap(({ operand }) => needlesOf(operand))),
    ].slice(0, MAX_NEEDLES),
    none,
  }
}

/** Returns words, and quoted text as one. */
function needlesOf(operand: NarrowTerm['operand']): string[] {
  const needles: string[] = []
  for (const [, quoted, word] of String(operand).matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
    const needle = (quoted ?? word ?? '')
      .replaceAll('\0', '')
      .trim()
      .toLowerCase()
      .slice(0, MAX_NEEDLE_LENGTH)
    if (needle !== '') needles.push(needle)
    if (needles.length === MAX_NEEDLES) break
  }
  return needles
}
