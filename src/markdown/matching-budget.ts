/**
 * Limit of the matching of linkifiers for one message: instructions times characters, which take at most 12 ns each. A message of ten
 * thousand characters with a hundred links by one rule needs 9 million. What comes after the limit is no link, in this message and always.
 */
const MAX_WORK = 10_000_000

/** The matching that is left for a message. */
export interface MatchingBudget {
  left: number
}

export function newMatchingBudget(): MatchingBudget {
  return { left: MAX_WORK }
}
