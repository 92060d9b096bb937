import { BadNarrowError } from '../../../core/errors.ts'
import type { NarrowTerm } from '../narrow/narrow-terms.ts'

/** Needles, in lower case, that a narrow looks for in the source and topic of messages. */
export interface SearchTerms {
  /** Needles that must all be found, each in the source or in the topic. */
  readonly all: readonly string[]
  /** Groups of negated terms: at least one needle of each must be missing. */
  readonly none: readonly (readonly string[])[]
}

/** Limit of the needles of a search: each costs work for every topic. */
const MAX_NEEDLES = 30
/** Length of a needle, in UTF-16 units. A longer pasted text is found by its beginning. */
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
  // Leaving out wanted words finds more; unwanted ones must not be left out.
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

/** Returns the words, and each quoted text as one needle. */
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
