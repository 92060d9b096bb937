import type { MessageSearch, SearchPage, SearchQuestion, SearchRange } from '../../../core/other-stores.ts'
import { inParts } from '../../../core/parts-of-lists.ts'
import { type AskingSteps, answerTo, type Steps } from '../../../core/reader.ts'
import { containsSearchTerm } from '../../../core/search-text.ts'
import type { Sql } from '../../../core/sql.ts'
import { findMessages, type IndexedMessage } from '../../../store/messages/message-rows.ts'
import { everySource, indexSource } from '../../../store/messages/narrow/message-source-rows.ts'
import { newestTopicId, topicsAmongContaining, topicsContaining } from '../../../store/messages/topic-rows.ts'
import type { RowLimit } from '../message-window.ts'
import type { SearchTerms } from '../narrow-terms.ts'
import { MessageWalk } from '../walk-messages.ts'

/** Number of search terms in the questions of a query: each is looked up in D1's index. */
const NEEDLES_AT_ONCE = 5_000

/** The bit of the question whether the wanted search terms are contained. */
const WANTED = 1
/** The bit of the question whether any negated term is contained. */
const EXCLUDED = 1 << 31

interface TermQuestion extends SearchQuestion {
  /** A bit of its own among the questions about a message. */
  readonly bit: number
}

/** Returns a test whether messages pass the search, by source and topic together. */
export function textTest(
  sql: Sql,
  search: MessageSearch,
  { all, none }: SearchTerms,
  limit: RowLimit,
): TextTest {
  const unwanted = [...new Set(none.flat())]
  const topics = new TopicSearchTerms(sql, [...new Set([...all, ...unwanted])])
  // Hundreds of negated terms may consist of a few words.
  const groups = none.length > unwanted.length ? unwanted.map((searchTerm) => [searchTerm]) : none
  const bitOf = (group: number) => WANTED << (group + 1)
  /** The questions about a message whose topic has a search term, each with a bit: at most one more than the search has search terms. */
  const asked = [all, ...groups].map((searchTerms, at) => ({ searchTerms, bit: WANTED << at }))
  const apart = groups.map((searchTerms, at) => ({ anyOf: [searchTerms], bit: bitOf(at) }))
  const together = groups.length > 0 ? [{ anyOf: groups, bit: EXCLUDED }] : []
  /** The questions about any other message. */
  const askedTogether = [
    ...(all.length > 0 ? [{ anyOf: [all], bit: WANTED }] : []),
    ...(groups === none ? together : apart),
  ]
  /** Sets of bits that a message must not have together. */
  const excluding =
    groups === none
      ? none.map((_, group) => bitOf(group))
      : none.map((searchTerms) =>
          searchTerms.reduce((bits, searchTerm) => bits | bitOf(unwanted.indexOf(searchTerm)), 0),
        )
  const always = all.length === 0 ? WANTED : 0
  const passes = (bits: number) =>
    (bits & WANTED) !== 0 && (bits & EXCLUDED) === 0 && excluding.every((some) => (bits & some) !== some)

  return function* (messages) {
    const contained = new Map<number, number>()
    const note = (id: number, bit: number) => contained.set(id, (contained.get(id) ?? 0) | bit)
    const questions: TermQuestion[] = []
    yield* topics.look(messages.map(({ topicId }) => topicId))
    for (const { id, topicId } of messages) {
      if (!topics.hasAny(topicId)) {
        note(id, always)
        for (const question of askedTogether) questions.push({ id, ...question })
        continue
      }
      for (const { searchTerms: wanted, bit } of asked) {
        const searchTerms = topics.missing(topicId, wanted)
        // Needles in a topic's name count for all of its messages.
        if (searchTerms.length === 0) note(id, bit)
        else questions.push({ id, bit, anyOf: [searchTerms] })
      }
    }
    for (const part of inQueries(questions)) {
      limit.spend(WORK_OF_A_SEARCH)
      for (const { id, bit } of yield* answerTo(search.contained(part))) note(id, bit)
    }
    return messages.filter(({ id }) => passes(contained.get(id) ?? 0))
  }
}

/** Returns the messages that pass the search, in their order. */
export type TextTest = (messages: readonly IndexedMessage[]) => AskingSteps<IndexedMessage[]>

function* inQueries(questions: readonly TermQuestion[]): Generator<TermQuestion[]> {
  let part: TermQuestion[] = []
  let searchTerms = 0
  for (const question of questions) {
    part.push(question)
    for (const group of question.anyOf) searchTerms += group.length
    if (searchTerms < NEEDLES_AT_ONCE) continue
    yield part
    part = []
    searchTerms = 0
  }
  if (part.length > 0) yield part
}

/** Number of kinds of topics, the commonest ones, that are searched with a query each. */
const MAX_QUERIES = 10
/** Number of topics up to which they are read one by one. */
const MAX_TOPICS = 100
/** Work of a query of D1, in rows: so a request makes at most 200, while the platform allows 1,000. */
const WORK_OF_A_SEARCH = 10_000

/**
 * Returns a search in sources, which D1 has, and topics, which the realm has, since a topic may change for thousands of messages at once.
 * For every set of search terms that some topics contain, the other search terms are looked for in the sources of those topics' messages.
 */
export function hitPages(
  sql: Sql,
  search: MessageSearch,
  searchTerms: readonly string[],
  topics: TopicsByMissing,
  limit: RowLimit,
): HitPages {
  const searched = topics.slice(0, MAX_QUERIES)
  const asked = [searchTerms, ...searched.map(([missing]) => missing)].filter(({ length }) => length > 0)
  return function* (range) {
    limit.spend(asked.length * WORK_OF_A_SEARCH)
    const answers = asked.map((some) => search.search(some, range))
    const [inSources, ...others] = yield* answerTo(Promise.all(answers))
    const pages = [inSources!]
    for (const [missing, topicIds] of searched) {
      pages.push(
        missing.length === 0
          ? yield* allOf(sql, topicIds, range)
          : amongTopics(sql, others.shift()!, topicIds),
      )
    }
    return joinPages(pages, range.newestFirst)
  }
}

/** Returns messages that contain each search term in the source or the topic. */
export type HitPages = (range: SearchRange) => AskingSteps<SearchPage>

function amongTopics(sql: Sql, { ids, reached }: SearchPage, topicIds: readonly number[]): SearchPage {
  const wanted = new Set(topicIds)
  const inTopics = findMessages(sql, ids).filter(({ topicId }) => wanted.has(topicId))
  return { ids: inTopics.map(({ id }) => id), reached }
}

/** Returns the next messages of the topics; for many topics, those among the organization's next messages. */
function* allOf(
  sql: Sql,
  topicIds: readonly number[],
  { above, below, newestFirst, limit }: SearchRange,
): Steps<SearchPage> {
  const [from, direction] = newestFirst ? ([below, -1] as const) : ([above, 1] as const)
  const range = { since: above, until: below - 1 }
  const wanted = new Set(topicIds)
  if (topicIds.length > MAX_TOPICS) {
    const every = everySource(sql, above, { senderId: undefined, bits: 0 })
    const { messages, reached } = every.read(from, direction, limit)
    return {
      ids: messages.filter(({ id, topicId }) => wanted.has(topicId) && id < below).map(({ id }) => id),
      reached: reached !== null && reached >= below ? null : reached,
    }
  }
  const sources = topicIds.map((id) => indexSource(sql, 'topic_id', id, range))
  const ids: number[] = []
  const walk = new MessageWalk(sources, { from, direction, wanted: limit })
  const end = yield* walk.run(({ id }) => ids.push(id) < limit)
  return { ids, reached: end === 'finished' ? null : walk.reached }
}

/** Joins pages that end at different ids, up to the first of these ends: later hits are found again with the next page. */
function joinPages(pages: readonly SearchPage[], newestFirst: boolean): SearchPage {
  const ends = pages.flatMap(({ reached }) => reached ?? [])
  const reached = ends.length === 0 ? null : newestFirst ? Math.max(...ends) : Math.min(...ends)
  const ids = new Set(pages.flatMap((page) => page.ids))
  return {
    ids: [...ids]
      .filter((id) => reached === null || (newestFirst ? id >= reached : id <= reached))
      .sort((a, b) => (newestFirst ? b - a : a - b)),
    reached,
  }
}

/** Comparisons of a topic with a search term in one statement, which takes 10 ms. */
const COMPARED_AT_ONCE = 40_000
const WORK_OF_COMPARING = 4_000
/** Number of looked-up topics from which they are forgotten. */
const TOPICS_KNOWN = 20_000

class TopicSearchTerms {
  readonly #sql: Sql
  readonly #searchTerms: readonly string[]
  /** The search terms in each topic that was looked up; undefined: none. */
  readonly #known = new Map<number, ReadonlySet<string> | undefined>()

  constructor(sql: Sql, searchTerms: readonly string[]) {
    this.#sql = sql
    this.#searchTerms = searchTerms
  }

  /** Looks up topics, before the other methods are asked about them. */
  *look(topicIds: Iterable<number>): Steps<void> {
    if (this.#searchTerms.length === 0) return
    if (this.#known.size >= TOPICS_KNOWN) this.#known.clear()
    const ids = [...new Set(topicIds)].filter((id) => !this.#known.has(id))
    for (const part of inParts(ids, Math.ceil(COMPARED_AT_ONCE / this.#searchTerms.length))) {
      for (const id of part) this.#known.set(id, undefined)
      for (const { id, name } of topicsAmongContaining(this.#sql, this.#searchTerms, part)) {
        this.#known.set(id, searchTermsIn(name, this.#searchTerms))
      }
      yield (WORK_OF_COMPARING * part.length * this.#searchTerms.length) / COMPARED_AT_ONCE
    }
  }

  hasAny(topicId: number): boolean {
    return this.#known.get(topicId) !== undefined
  }

  missing(topicId: number, searchTerms: readonly string[]): readonly string[] {
    const contained = this.#known.get(topicId)
    return contained ? searchTerms.filter((searchTerm) => !contained.has(searchTerm)) : searchTerms
  }
}

/** Topics with some of the search terms in their names, by those that they lack. */
type TopicsByMissing = readonly (readonly [missing: readonly string[], topicIds: readonly number[]])[]

/** Finds all topics with some of the search terms, the commonest kind first. */
export function* findTopicsByMissing(sql: Sql, searchTerms: readonly string[]): Steps<TopicsByMissing> {
  const found = new Map<string, [missing: readonly string[], topicIds: number[]]>()
  const newest = newestTopicId(sql)
  const size = Math.ceil(COMPARED_AT_ONCE / searchTerms.length)
  for (let above = 0; above < newest; above += size) {
    for (const { id, name } of topicsContaining(sql, searchTerms, above, above + size)) {
      const contained = searchTermsIn(name, searchTerms)
      if (contained.size === 0) continue
      const missing = searchTerms.filter((searchTerm) => !contained.has(searchTerm))
      const key = JSON.stringify(missing)
      const known = found.get(key)
      if (known) known[1].push(id)
      else found.set(key, [missing, [id]])
    }
    yield (WORK_OF_COMPARING * Math.min(size, newest - above) * searchTerms.length) / COMPARED_AT_ONCE
  }
  return [...found.values()].sort(([, a], [, b]) => b.length - a.length)
}

function searchTermsIn(name: string, searchTerms: readonly string[]): ReadonlySet<string> {
  return new Set(searchTerms.filter((searchTerm) => containsSearchTerm(name, searchTerm)))
}
