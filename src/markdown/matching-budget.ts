/**
 * Limit of the matching of linkifiers for one message: instructions times characters that are read, which take 12 to 40 ns each at worst. A
 * rule of twenty instructions needs 200,000 for a message of ten thousand characters, however many links it makes, unless it may read on
 * beyond them. What comes after the limit is no link, in this message and always.
 */
const MAX_WORK = 10_000_000

/** The matching that is left for a message. */
export interface MatchingBudget {
  left: number
}

export function newMatchingBudget(): MatchingBudget {
  return { left: MAX_WORK }
}
