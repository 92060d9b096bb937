import type { MessageSearch, SearchQuestion } from '../../../core/command.ts'
import type { IndexedMessage } from '../message-rows.ts'
import type { Turns } from '../narrow/walk-in-turns.ts'
import type { SearchTerms } from './search-terms.ts'
import type { TopicNeedles } from './topic-needles.ts'

/** Number of questions of one query, each of which is looked up in the index of D1. */
const QUESTIONS_AT_ONCE = 5_000

interface TermQuestion extends SearchQuestion {
  readonly term: number
}

/** Tests whether messages pass the search, in source and topic together. */
export class TextTest {
  readonly #search: MessageSearch
  /** The first term has the needles that must be contained, all others those that must not. */
  readonly #terms: readonly (readonly string[])[]
  readonly #topics: TopicNeedles
  readonly #turns: Turns

  constructor(search: MessageSearch, { all, none }: SearchTerms, topics: TopicNeedles, turns: Turns) {
    this.#search = search
    this.#terms = [all, ...none]
    this.#topics = topics
    this.#turns = turns
  }

  /** Returns the messages that pass, in their order. */
  async passing(messages: readonly IndexedMessage[]): Promise<IndexedMessage[]> {
    const contained = new Map<number, Set<number>>(messages.map(({ id }) => [id, new Set()]))
    const asked: TermQuestion[] = []
    for (const { id, topicId } of messages) {
      this.#terms.forEach((all, term) => {
        const needles = this.#topics.missing(topicId, all)
        // Needles in a topic's name count for all its messages.
        if (needles.length === 0) contained.get(id)!.add(term)
        else asked.push({ id, term, needles })
      })
    }
    for (let at = 0; at < asked.length; at += QUESTIONS_AT_ONCE) {
      this.#turns.countSearch()
      const questions = asked.slice(at, at + QUESTIONS_AT_ONCE)
      for (const { id, term } of await this.#search.contained(questions)) contained.get(id)!.add(term)
    }
    return messages.filter(({ id }) => contained.get(id)!.has(0) && contained.get(id)!.size === 1)
  }
}
