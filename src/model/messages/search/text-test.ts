import type {
  MessageSearch,
  NeedleGroups,
  SearchPage,
  SearchQuestion,
  SearchRange,
} from '../../../core/command.ts'
import { inParts } from '../../../core/parts-of-lists.ts'
import { type AskingSteps, answerTo, type Steps } from '../../../core/reader.ts'
import { containsNeedle } from '../../../core/search-text.ts'
import type { Sql } from '../../../core/sql.ts'
import { findMessages, type IndexedMessage } from '../../../store/messages/message-rows.ts'
import { everySource, indexSource } from '../../../store/messages/narrow/message-source-rows.ts'
import { newestTopicId, topicsAmongContaining, topicsContaining } from '../../../store/messages/topic-rows.ts'
import type { RowLimit } from '../narrow/message-window.ts'
import { MessageWalk } from '../narrow/walk-messages.ts'
import type { SearchTerms } from './search-terms.ts'

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

/** Number of kinds of topics that are searched separately, each with a query of its own; the commonest. */
const MAX_QUERIES = 10
/** Number of topics up to which they are walked through one by one. */
const MAX_TOPICS = 100
/** Rows that a query of D1 counts as: a request makes two hundred at most, and the platform allows 1,000 calls to other services. */
const WORK_OF_A_SEARCH = 10_000

/**
 * Searches sources and topics. D1 has the sources, the realm has the topics, since a topic may change for a
 * thousand messages at once: so for every set of needles that some topics contain, the other needles are
 * looked for in the sources of those topics' messages.
 */
export class HitPages {
  readonly #sql: Sql
  readonly #search: MessageSearch
  readonly #needles: readonly string[]
  readonly #topics: TopicsByMissing
  readonly #limit: RowLimit

  constructor(
    sql: Sql,
    search: MessageSearch,
    needles: readonly string[],
    topics: TopicsByMissing,
    limit: RowLimit,
  ) {
    this.#sql = sql
    this.#search = search
    this.#needles = needles
    this.#topics = topics.slice(0, MAX_QUERIES)
    this.#limit = limit
  }

  /** Returns messages that contain every needle, in source or topic. */
  *page(range: SearchRange): AskingSteps<SearchPage> {
    const asked = [this.#needles, ...this.#topics.map(([missing]) => missing)].filter(
      (needles) => needles.length > 0,
    )
    this.#limit.spend(asked.length * WORK_OF_A_SEARCH)
    const search = (needles: readonly string[]) => this.#search.search(needles, range)
    const [inSources, ...others] = yield* answerTo(Promise.all(asked.map(search)))
    const pages = [inSources!]
    for (const [missing, topicIds] of this.#topics) {
      pages.push(
        missing.length === 0
          ? yield* this.#allOf(topicIds, range)
          : this.#amongTopics(others.shift()!, topicIds),
      )
    }
    return joinPages(pages, range.newestFirst)
  }

  #amongTopics({ ids, reached }: SearchPage, topicIds: readonly number[]): SearchPage {
    const wanted = new Set(topicIds)
    const inTopics = findMessages(this.#sql, ids).filter(({ topicId }) => wanted.has(topicId))
    return { ids: inTopics.map(({ id }) => id), reached }
  }

  /** Returns every message of the topics or, if they are many, those among the organization's next messages. */
  *#allOf(topicIds: readonly number[], { above, below, newestFirst, limit }: SearchRange): Steps<SearchPage> {
    const [from, direction] = newestFirst ? ([below, -1] as const) : ([above, 1] as const)
    const range = { since: above, until: below - 1 }
    const wanted = new Set(topicIds)
    if (topicIds.length > MAX_TOPICS) {
      const every = everySource(this.#sql, above, { senderId: undefined, bits: 0 })
      const { messages, reached } = every.read(from, direction, limit)
      return {
        ids: messages.filter(({ id, topicId }) => wanted.has(topicId) && id < below).map(({ id }) => id),
        reached: reached !== null && reached >= below ? null : reached,
      }
    }
    const sources = topicIds.map((id) => indexSource(this.#sql, 'topic_id', id, range))
    const ids: number[] = []
    const walk = new MessageWalk(sources, { from, direction, wanted: limit })
    const end = yield* walk.run(({ id }) => ids.push(id) < limit)
    return { ids, reached: end === 'finished' ? null : walk.reached }
  }
}

/**
 * Joins pages, which end at different ids: hits beyond the first of these ends are found again with the next
 * page.
 */
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

/** Comparisons of a topic with a needle in one statement: some 10 ms. */
const COMPARED_AT_ONCE = 40_000
/** Rows that would take as long to read as these comparisons take. */
const WORK_OF_COMPARING = 4_000
/** Number of topics of which is known what they contain, from which on all are looked at again. */
const TOPICS_KNOWN = 20_000

/** The needles that the topics of messages contain. */
export class TopicNeedles {
  readonly #sql: Sql
  readonly #needles: readonly string[]
  /** The needles in each topic that was looked at; undefined: none. */
  readonly #known = new Map<number, ReadonlySet<string> | undefined>()

  constructor(sql: Sql, needles: readonly string[]) {
    this.#sql = sql
    this.#needles = needles
  }

  /** Reads topics, after which `missing` can be asked about them. */
  *look(topicIds: Iterable<number>): Steps<void> {
    if (this.#needles.length === 0) return
    if (this.#known.size >= TOPICS_KNOWN) this.#known.clear()
    const ids = [...new Set(topicIds)].filter((id) => !this.#known.has(id))
    for (const part of inParts(ids, Math.ceil(COMPARED_AT_ONCE / this.#needles.length))) {
      for (const id of part) this.#known.set(id, undefined)
      for (const { id, name } of topicsAmongContaining(this.#sql, this.#needles, part)) {
        this.#known.set(id, needlesIn(name, this.#needles))
      }
      yield (WORK_OF_COMPARING * part.length * this.#needles.length) / COMPARED_AT_ONCE
    }
  }

  /** Whether the topic has any of the needles. */
  hasAny(topicId: number): boolean {
    return this.#known.get(topicId) !== undefined
  }

  /** Returns the needles that are not in the topic. */
  missing(topicId: number, needles: readonly string[]): readonly string[] {
    const contained = this.#known.get(topicId)
    return contained ? needles.filter((needle) => !contained.has(needle)) : needles
  }
}

/** Topics that have some of the needles in their names, by those that they lack. */
type TopicsByMissing = readonly (readonly [missing: readonly string[], topicIds: readonly number[]])[]

/** Finds all topics that have some of the needles. The commonest first. */
export function* findTopicsByMissing(sql: Sql, needles: readonly string[]): Steps<TopicsByMissing> {
  const found = new Map<string, [missing: readonly string[], topicIds: number[]]>()
  const newest = newestTopicId(sql)
  const size = Math.ceil(COMPARED_AT_ONCE / needles.length)
  for (let above = 0; above < newest; above += size) {
    for (const { id, name } of topicsContaining(sql, needles, above, above + size)) {
      const contained = needlesIn(name, needles)
      if (contained.size === 0) continue
      const missing = needles.filter((needle) => !contained.has(needle))
      const key = JSON.stringify(missing)
      const known = found.get(key)
      if (known) known[1].push(id)
      else found.set(key, [missing, [id]])
    }
    yield (WORK_OF_COMPARING * Math.min(size, newest - above) * needles.length) / COMPARED_AT_ONCE
  }
  return [...found.values()].sort(([, a], [, b]) => b.length - a.length)
}

function needlesIn(name: string, needles: readonly string[]): ReadonlySet<string> {
  return new Set(needles.filter((needle) => containsNeedle(name, needle)))
}
