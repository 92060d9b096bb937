import type { MessageSearch, NeedleGroups, SearchQuestion } from '../../../core/command.ts'
import { type AskingSteps, answerTo } from '../../../core/reader.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import type { RowLimit } from '../narrow/row-limit.ts'
import { WORK_OF_A_SEARCH } from './hit-pages.ts'
import type { SearchTerms } from './search-terms.ts'
import type { TopicNeedles } from './topic-needles.ts'

/** Number of needles in the questions of one query, each of which is looked up in the index of D1 for its message. */
const NEEDLES_AT_ONCE = 5_000

/** The question about the needles that must be contained, among those about a message. */
const WANTED = 1
/** The question whether any negated term is contained. */
const EXCLUDED = 1 << 31

interface TermQuestion extends SearchQuestion {
  /** One bit, its own among the questions about a message. */
  readonly bit: number
}

/** Tests whether messages pass the search, in source and topic together. */
export class TextTest {
  readonly #search: MessageSearch
  /** The tests of a message whose topic has a needle, a bit each: at most one more than the search has needles. */
  readonly #asked: readonly { readonly needles: readonly string[]; readonly bit: number }[]
  /** The tests of every other message. */
  readonly #askedTogether: readonly { readonly anyOf: NeedleGroups; readonly bit: number }[]
  /** The bits that a message must not have together. */
  readonly #excluding: readonly number[]
  readonly #topics: TopicNeedles
  readonly #limit: RowLimit

  constructor(search: MessageSearch, { all, none }: SearchTerms, topics: TopicNeedles, limit: RowLimit) {
    this.#search = search
    const unwanted = [...new Set(none.flat())]
    // A few words may be in hundreds of negated terms.
    const groups = none.length > unwanted.length ? unwanted.map((needle) => [needle]) : none
    const bitOf = (group: number) => WANTED << (group + 1)
    this.#asked = [all, ...groups].map((needles, at) => ({ needles, bit: WANTED << at }))
    const apart = groups.map((needles, at) => ({ anyOf: [needles], bit: bitOf(at) }))
    const together = groups.length > 0 ? [{ anyOf: groups, bit: EXCLUDED }] : []
    this.#askedTogether = [
      ...(all.length > 0 ? [{ anyOf: [all], bit: WANTED }] : []),
      ...(groups === none ? together : apart),
    ]
    this.#excluding =
      groups === none
        ? none.map((_, group) => bitOf(group))
        : none.map((needles) => needles.reduce((bits, needle) => bits | bitOf(unwanted.indexOf(needle)), 0))
    this.#topics = topics
    this.#limit = limit
  }

  /** Returns the messages that pass, in their order. */
  *passing(messages: readonly IndexedMessage[]): AskingSteps<IndexedMessage[]> {
    const contained = new Map<number, number>()
    const note = (id: number, bit: number) => contained.set(id, (contained.get(id) ?? 0) | bit)
    const questions: TermQuestion[] = []
    yield* this.#topics.look(messages.map(({ topicId }) => topicId))
    const always = this.#asked[0]!.needles.length === 0 ? WANTED : 0
    for (const { id, topicId } of messages) {
      if (!this.#topics.hasAny(topicId)) {
        note(id, always)
        for (const asked of this.#askedTogether) questions.push({ id, ...asked })
        continue
      }
      for (const { needles: all, bit } of this.#asked) {
        const needles = this.#topics.missing(topicId, all)
        // Needles in a topic's name count for all its messages.
        if (needles.length === 0) note(id, bit)
        else questions.push({ id, bit, anyOf: [needles] })
      }
    }
    for (const part of inQueries(questions)) {
      this.#limit.spend(WORK_OF_A_SEARCH)
      for (const { id, bit } of yield* answerTo(this.#search.contained(part))) note(id, bit)
    }
    return messages.filter(({ id }) => this.#passes(contained.get(id) ?? 0))
  }

  #passes(bits: number): boolean {
    if ((bits & WANTED) === 0 || (bits & EXCLUDED) !== 0) return false
    return this.#excluding.every((excluding) => (bits & excluding) !== excluding)
  }
}

/** Divides questions into those of one query each. */
function* inQueries(questions: readonly TermQuestion[]): Generator<TermQuestion[]> {
  let part: TermQuestion[] = []
  let needles = 0
  for (const question of questions) {
    part.push(question)
    for (const group of question.anyOf) needles += group.length
    if (needles < NEEDLES_AT_ONCE) continue
    yield part
    part = []
    needles = 0
  }
  if (part.length > 0) yield part
}
