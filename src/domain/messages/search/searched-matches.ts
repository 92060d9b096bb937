import type { MessageSearch, SearchRange } from '../../../core/command.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { findMessages, type IndexedMessage } from '../message-rows.ts'
import type { MatchingMessages, NarrowWalk } from '../narrow/matching-messages.ts'
import type { Direction } from '../narrow/message-source-rows.ts'
import type { Matches, Turns } from '../narrow/walk-in-turns.ts'
import type { WalkEnd } from '../narrow/walk-messages.ts'
import { HitPages } from './hit-pages.ts'
import type { SearchTerms } from './search-terms.ts'
import { TextTest } from './text-test.ts'
import { findTopicsByMissing, TopicNeedles } from './topic-needles.ts'

/** Number of candidates that are tested together. */
const PAGE = 1_000
/** Number of channels and conversations of which one turn looks up what the viewer may read. */
const RECIPIENTS_OF_ONE_TURN = 300
/** Share of passing candidates below which the other way may be shorter. */
const FRUITFUL = 0.05

type View = Pick<RealmView, 'sql'>
type Visit = (message: IndexedMessage) => boolean

/** Outcome of one step towards the end. */
interface Step {
  /** Messages, in the order of the search. */
  readonly messages: readonly IndexedMessage[]
  /** Number of messages that were tested. */
  readonly looked: number
  /** Null: the end. */
  readonly reached: number | null
}

interface Parts {
  readonly view: View
  readonly matching: MatchingMessages
  readonly terms: SearchTerms
  readonly turns: Turns
  readonly test: TextTest
  /** Undefined with only negated terms: then all that match otherwise are candidates. */
  readonly hits: HitPages | undefined
}

/**
 * The messages of a narrow that also pass its search. There are two ways: to ask D1 for messages with the
 * words and test whether they are in the narrow, or to walk through the narrow and ask D1 whether its
 * messages have the words. The first is short for rare words, the second for small narrows; if one finds
 * little, both are tried, and the one that gets further is continued.
 */
export class SearchedMatches implements Matches {
  readonly #view: View
  readonly #matching: MatchingMessages
  readonly #terms: SearchTerms
  readonly #turns: Turns
  readonly #test: TextTest
  readonly #hits: HitPages | undefined

  static async prepare(
    view: View,
    search: MessageSearch,
    matching: MatchingMessages,
    terms: SearchTerms,
    turns: Turns,
  ): Promise<SearchedMatches> {
    const needles = [...new Set([...terms.all, ...terms.none.flat()])]
    const test = new TextTest(search, terms, new TopicNeedles(view.sql, needles, turns), turns)
    const topics = terms.all.length > 0 ? await findTopicsByMissing(view.sql, terms.all, turns) : undefined
    const hits = topics && new HitPages(view.sql, search, terms.all, topics, turns)
    return new SearchedMatches({ view, matching, terms, turns, test, hits })
  }

  private constructor({ view, matching, terms, turns, test, hits }: Parts) {
    this.#view = view
    this.#matching = matching
    this.#terms = terms
    this.#turns = turns
    this.#test = test
    this.#hits = hits
  }

  async has(id: number): Promise<boolean> {
    const message = this.#matching.at(id)
    return message !== undefined && (await this.#test.passing([message])).length > 0
  }

  unread(visit: Visit): Promise<WalkEnd> {
    return this.#visitWalk(this.#matching.walkUnread(), visit)
  }

  async beyond(from: number, direction: Direction, visit: Visit, wanted: number): Promise<WalkEnd> {
    let position = from
    /** Number of ids that the last step of each way has covered. */
    const spans = { hits: Number.POSITIVE_INFINITY, narrow: Number.POSITIVE_INFINITY }
    let way: 'hits' | 'narrow' = this.#hits ? 'hits' : 'narrow'
    for (;;) {
      const step =
        way === 'hits'
          ? await this.#stepOfHits(position, direction)
          : await this.#stepOfNarrow(position, direction, wanted)
      for (const message of step.messages) if (!visit(message)) return 'stopped'
      if (step.reached === null) return 'finished'
      spans[way] = Math.abs(step.reached - position)
      position = step.reached
      if (this.#turns.isSpent) return 'spent'
      await this.#turns.rest()
      const isFruitful = step.messages.length >= step.looked * FRUITFUL
      if (this.#hits && !isFruitful) way = spans.hits >= spans.narrow ? 'hits' : 'narrow'
    }
  }

  async #stepOfHits(from: number, direction: Direction): Promise<Step> {
    const { ids, reached } = await this.#hits!.page(rangeBeyond(from, direction))
    const found = await this.#among(findMessages(this.#view.sql, ids))
    const messages = this.#terms.none.length > 0 ? await this.#test.passing(found) : found
    return { messages: direction === -1 ? messages.reverse() : messages, looked: ids.length, reached }
  }

  /** Returns those that belong to the narrow; the rest of a page that is spread over very many channels is tested in further turns. */
  async #among(messages: readonly IndexedMessage[]): Promise<IndexedMessage[]> {
    const found: IndexedMessage[] = []
    const seen = new Set<number>()
    for (const message of messages) {
      if (seen.size === RECIPIENTS_OF_ONE_TURN) {
        await this.#turns.rest()
        seen.clear()
      }
      seen.add(message.recipientId)
      found.push(...this.#matching.among([message]))
    }
    return found
  }

  async #stepOfNarrow(from: number, direction: Direction, wanted: number): Promise<Step> {
    const size = Math.min(PAGE, Math.max(4 * wanted, 100))
    const walk = this.#matching.walk({ from, direction, wanted: size })
    const page: IndexedMessage[] = []
    const end = await this.#turns.walk(walk, (message) => page.push(message) < size)
    return {
      messages: await this.#test.passing(page),
      looked: page.length,
      reached: end === 'finished' ? null : walk.reached,
    }
  }

  async #visitWalk(walk: NarrowWalk, visit: Visit): Promise<WalkEnd> {
    for (;;) {
      const page: IndexedMessage[] = []
      const end = await this.#turns.walk(walk, (message) => page.push(message) < PAGE)
      for (const message of await this.#test.passing(page)) if (!visit(message)) return 'stopped'
      if (end === 'finished' || this.#turns.isSpent) return end === 'finished' ? end : 'spent'
      await this.#turns.rest()
    }
  }
}

function rangeBeyond(from: number, direction: Direction): SearchRange {
  return direction === -1
    ? { above: 0, below: from, newestFirst: true, limit: PAGE }
    : { above: from, below: Number.MAX_SAFE_INTEGER, newestFirst: false, limit: PAGE }
}
