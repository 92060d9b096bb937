import { findLinkifierMatches } from './linkifiers.ts'
import { type MatchingBudget, newMatchingBudget } from './matching-budget.ts'
import type { MarkdownLookups } from './render-types.ts'
import { findWebAddresses } from './web-addresses.ts'

/** Limit of the matching of linkifiers for a topic: some 3 ms at worst. */
const WORK_OF_A_TOPIC = 120_000
/**
 * What a topic gets however much the others of its answer have taken, since a page of messages may have hundreds: enough for some twenty
 * ordinary rules, and 0.15 ms at worst.
 */
const LEAST_OF_A_TOPIC = 6_000

/**
 * Returns the links of a topic's name, in the order of the name: matches of linkifiers, then bare addresses. `together`: what is left for all
 * topics of one answer.
 */
export function topicLinks(
  topic: string,
  lookups: Pick<MarkdownLookups, 'linkifiers' | 'realmUrl'>,
  together: Pick<MatchingBudget, 'left'> = newMatchingBudget(),
): { text: string; url: string }[] {
  const given = Math.min(WORK_OF_A_TOPIC, Math.max(together.left, LEAST_OF_A_TOPIC))
  const budget = newMatchingBudget(given)
  const links = findLinkifierMatches(topic, lookups.linkifiers, budget)
  together.left -= given - budget.left
  const isFree = (start: number, end: number) => links.every((link) => end <= link.start || link.end <= start)
  for (const address of findWebAddresses(topic)) {
    if (isFree(address.start, address.end)) links.push(address)
  }
  return links.sort((a, b) => a.start - b.start).map(({ text, url }) => ({ text, url }))
}
