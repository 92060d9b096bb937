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
