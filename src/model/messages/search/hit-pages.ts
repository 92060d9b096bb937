import type { MessageSearch, SearchPage, SearchRange } from '../../../core/command.ts'
import { type AskingSteps, answerTo, type Steps } from '../../../core/reader.ts'
import type { Sql } from '../../../core/sql.ts'
import { findMessages } from '../../../store/messages/message-rows.ts'
import { everySource, indexSource } from '../../../store/messages/narrow/message-source-rows.ts'
import type { RowLimit } from '../narrow/row-limit.ts'
import { MessageWalk } from '../narrow/walk-messages.ts'
import type { TopicsByMissing } from './topic-needles.ts'

/** Number of kinds of topics that are searched separately, each with a query of its own; the commonest. */
const MAX_QUERIES = 10
/** Number of topics up to which they are walked through one by one. */
const MAX_TOPICS = 100
/** Rows that a query of D1 counts as: a request makes two hundred at most, and the platform allows 1,000 calls to other services. */
export const WORK_OF_A_SEARCH = 10_000

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
