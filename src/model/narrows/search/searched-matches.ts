import { ENTRIES_AT_ONCE } from '../../../core/budgets.ts'
import type { MessageSearch, SearchRange } from '../../../core/other-stores.ts'
import { inParts } from '../../../core/parts-of-lists.ts'
import type { AskingSteps, Steps } from '../../../core/reader.ts'
import type { Sql } from '../../../core/sql.ts'
import { findMessages, type IndexedMessage } from '../../../store/messages/message-rows.ts'
import type { Direction } from '../../../store/messages/narrow/message-source-rows.ts'
import type { Matches, MatchingMessages, NarrowWalk } from '../matching-messages.ts'
import type { RowLimit } from '../message-window.ts'
import type { SearchTerms } from '../narrow-terms.ts'
import type { Visit, WalkEnd } from '../walk-messages.ts'
import { findTopicsByMissing, type HitPages, hitPages, type TextTest, textTest } from './text-test.ts'

/** Number of hits that are tested at a time: each may be in another channel. */
const TESTED_AT_A_TIME = 100
/** Share of passing candidates below which the other way is tried. */
const FRUITFUL = 0.05

interface Step {
  /** Messages, in the order of the search. */
  readonly messages: readonly IndexedMessage[]
  /** Number of messages that were tested. */
  readonly looked: number
  /** Null at the end. */
  readonly reached: number | null
}

interface Parts {
  readonly sql: Sql
  readonly search: MessageSearch
  readonly matching: MatchingMessages
  readonly terms: SearchTerms
  readonly limit: RowLimit
}

/**
 * The messages of a narrow that also pass its search. There are two ways: asking D1 for messages with the words and testing whether they
 * are in the narrow, or walking through the narrow and asking D1 whether its messages have the words. The first is short for rare words,
 * the second for small narrows. If one finds little, both are tried, and the one that gets further is continued.
 */
export class SearchedMatches implements Matches<number | undefined | Promise<unknown>> {
  readonly #parts: Parts
  readonly #test: TextTest
  #hits: HitPages | undefined

  constructor(parts: Parts) {
    const { sql, search, terms, limit } = parts
    this.#parts = parts
    this.#test = textTest(sql, search, terms, limit)
  }

  *has(id: number): AskingSteps<boolean> {
    const message = this.#parts.matching.at(id)
    return message !== undefined && (yield* this.#test([message])).length > 0
  }

  unread(visit: Visit): AskingSteps<WalkEnd> {
    return this.#visitWalk(this.#parts.matching.walkUnread(), visit)
  }

  *beyond(from: number, direction: Direction, visit: Visit, wanted: number): AskingSteps<WalkEnd> {
    const hits = yield* this.#hitPages()
    let position = from
    /** Number of ids that the last step of each way covered. */
    const spans = { hits: Number.POSITIVE_INFINITY, narrow: Number.POSITIVE_INFINITY }
    let way: 'hits' | 'narrow' = hits ? 'hits' : 'narrow'
    for (;;) {
      const step: Step =
        hits && way === 'hits'
          ? yield* this.#stepOfHits(hits, position, direction)
          : yield* this.#stepOfNarrow(position, direction, wanted)
      for (const message of step.messages) if (!visit(message)) return 'stopped'
      if (step.reached === null) return 'finished'
      spans[way] = Math.abs(step.reached - position)
      position = step.reached
      yield
      const isFruitful = step.messages.length >= step.looked * FRUITFUL
      if (hits && !isFruitful) way = spans.hits >= spans.narrow ? 'hits' : 'narrow'
    }
  }

  /** Undefined if all terms are negated: then everything in the narrow is a candidate. */
  *#hitPages(): Steps<HitPages | undefined> {
    const { sql, search, terms, limit } = this.#parts
    if (terms.all.length === 0) return undefined
    this.#hits ??= hitPages(sql, search, terms.all, yield* findTopicsByMissing(sql, terms.all), limit)
    return this.#hits
  }

  *#stepOfHits(hits: HitPages, from: number, direction: Direction): AskingSteps<Step> {
    const { ids, reached } = yield* hits(rangeBeyond(from, direction))
    const found: IndexedMessage[] = []
    for (const part of inParts(findMessages(this.#parts.sql, ids), TESTED_AT_A_TIME)) {
      found.push(...this.#parts.matching.among(part))
      yield
    }
    const messages = this.#parts.terms.none.length > 0 ? yield* this.#test(found) : found
    return { messages: direction === -1 ? messages.reverse() : messages, looked: ids.length, reached }
  }

  *#stepOfNarrow(from: number, direction: Direction, wanted: number): AskingSteps<Step> {
    const size = Math.min(ENTRIES_AT_ONCE, Math.max(4 * wanted, 100))
    const walk = this.#parts.matching.walk({ from, direction, wanted: size })
    const page: IndexedMessage[] = []
    const end = yield* walk.run((message) => page.push(message) < size)
    return {
      messages: yield* this.#test(page),
      looked: page.length,
      reached: end === 'finished' ? null : walk.reached,
    }
  }

  *#visitWalk(walk: NarrowWalk, visit: Visit): AskingSteps<WalkEnd> {
    for (;;) {
      const page: IndexedMessage[] = []
      const end = yield* walk.run((message) => page.push(message) < ENTRIES_AT_ONCE)
      for (const message of yield* this.#test(page)) if (!visit(message)) return 'stopped'
      if (end === 'finished') return end
      yield
    }
  }
}

function rangeBeyond(from: number, direction: Direction): SearchRange {
  return direction === -1
    ? { above: 0, below: from, newestFirst: true, limit: ENTRIES_AT_ONCE }
    : { above: from, below: Number.MAX_SAFE_INTEGER, newestFirst: false, limit: ENTRIES_AT_ONCE }
}
