import { findLinkifierMatches } from './linkifiers.ts'
import { newMatchingBudget } from './matching-budget.ts'
import type { MarkdownLookups } from './render-types.ts'
import { findWebAddresses } from './web-addresses.ts'

/** Limit of the matching of linkifiers for a topic: some 3 ms at worst, since a page of messages may have hundreds of topics. */
const WORK_OF_A_TOPIC = 120_000

/**
 * Returns the links of a topic's name, in the order of the name: matches of linkifiers, then bare addresses.
 */
export function topicLinks(
  topic: string,
  lookups: Pick<MarkdownLookups, 'linkifiers' | 'realmUrl'>,
): { text: string; url: string }[] {
  const links = findLinkifierMatches(topic, lookups.linkifiers, newMatchingBudget(WORK_OF_A_TOPIC))
  const isFree = (start: number, end: number) => links.every((link) => end <= link.start || link.end <= start)
  for (const address of findWebAddresses(topic)) {
    if (isFree(address.start, address.end)) links.push(address)
  }
  return links.sort((a, b) => a.start - b.start).map(({ text, url }) => ({ text, url }))
}
