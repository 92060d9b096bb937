import { findAddresses } from './addresses.ts'
import { newMatchingBudget } from './least-program.ts'
import { findLinkifierMatches } from './linkifiers.ts'
import { sharedParser } from './parser.ts'
import { noteFirstUsesOfTopics } from './prepare-rendering.ts'
import type { MarkdownLookups } from './render-types.ts'

/** Limit of linkifier matching for a topic: about 3 ms at worst. */
const WORK_OF_A_TOPIC = 120_000
/** The same for all topics of a page together, which may be hundreds: about 10 ms. */
const WORK_TOGETHER = 400_000
/**
 * The minimum budget of a topic, whatever the others of its page have used: enough for about twenty ordinary rules, and 0.15 ms at worst.
 */
const LEAST_OF_A_TOPIC = 6_000
/** Work after which the rest of a page is left to another turn: about 15 ms. */
const WORK_OF_A_SLICE = 600_000

export interface TopicLink {
  readonly text: string
  readonly url: string
}

type Lookups = Pick<MarkdownLookups, 'linkifiers' | 'realmUrl' | 'noteFirstUses'>

/** Returns the links of a topic's name, in order: matches of linkifiers, then bare addresses. */
export function topicLinks(topic: string, lookups: Lookups): TopicLink[] {
  noteFirstUsesOfTopics([topic], lookups)
  return linksWithin(topic, lookups, WORK_OF_A_TOPIC).links
}

export class TopicLinksOfPage {
  readonly #lookups: Lookups
  readonly #known = new Map<string, TopicLink[]>()
  #work = 0

  /** @param topics those to be looked up */
  constructor(topics: readonly string[], lookups: Lookups) {
    this.#lookups = lookups
    noteFirstUsesOfTopics(topics, lookups)
  }

  /** Whether finding them has used up this turn. */
  get isSpent(): boolean {
    return this.#work >= WORK_OF_A_SLICE
  }

  of(topic: string): TopicLink[] {
    const known = this.#known.get(topic)
    if (known) return known
    const given = Math.min(WORK_OF_A_TOPIC, Math.max(WORK_TOGETHER - this.#work, LEAST_OF_A_TOPIC))
    const { links, left } = linksWithin(topic, this.#lookups, given)
    this.#work += given - left
    this.#known.set(topic, links)
    return links
  }
}

function linksWithin(
  topic: string,
  { linkifiers }: Pick<Lookups, 'linkifiers'>,
  work: number,
): { links: TopicLink[]; left: number } {
  const budget = newMatchingBudget(work)
  const links = findLinkifierMatches(topic, linkifiers, budget)
  const isFree = (start: number, end: number) => links.every((link) => end <= link.start || link.end <= start)
  for (const address of findWebAddresses(topic)) {
    if (isFree(address.start, address.end)) links.push(address)
  }
  const inOrder = links.sort((a, b) => a.start - b.start).map(({ text, url }) => ({ text, url }))
  return { links: inOrder, left: budget.left }
}

/** A bare web address in a text: `[start, end)` in UTF-16 units. */
interface WebAddress {
  start: number
  end: number
  text: string
  url: string
}

/** Finds the `http://` and `https://` addresses of a text. Addresses without a scheme do not count. */
function findWebAddresses(text: string): WebAddress[] {
  return findAddresses(text)
    .map(({ start, end }) => ({ start, end, text: text.slice(start, end) }))
    .filter((address) => /^https?:\/\//i.test(address.text))
    .map((address) => ({ ...address, url: sharedParser().normalizeLink(address.text) }))
}
