import type { MessageSearch, SearchPage, SearchRange } from '../../../core/command.ts'
import type { Sql } from '../../../core/sql.ts'
import { findMessages } from '../message-rows.ts'
import { everySource, indexSource } from '../narrow/message-source-rows.ts'
import type { Turns } from '../narrow/walk-in-turns.ts'
import { MessageWalk } from '../narrow/walk-messages.ts'
import type { TopicsByMissing } from './topic-needles.ts'

/** Number of kinds of topics that are searched separately, each with a query of its own; the commonest. */
const MAX_QUERIES = 10
/** Number of topics up to which they are walked through one by one. */
const MAX_TOPICS = 100

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
  readonly #turns: Turns

  constructor(
    sql: Sql,
    search: MessageSearch,
    needles: readonly string[],
    topics: TopicsByMissing,
    turns: Turns,
  ) {
    this.#sql = sql
    this.#search = search
    this.#needles = needles
    this.#topics = topics.slice(0, MAX_QUERIES)
    this.#turns = turns
  }

  /** Returns messages that contain every needle, in source or topic. */
  async page(range: SearchRange): Promise<SearchPage> {
    const pages = await Promise.all([
      this.#inSources(this.#needles, range),
      ...this.#topics.map(([missing, topicIds]) => this.#pageOfTopics(missing, topicIds, range)),
    ])
    return joinPages(pages, range.newestFirst)
  }

  #inSources(needles: readonly string[], range: SearchRange): Promise<SearchPage> {
    this.#turns.countSearch()
    return this.#search.search(needles, range)
  }

  async #pageOfTopics(
    missing: readonly string[],
    topicIds: readonly number[],
    range: SearchRange,
  ): Promise<SearchPage> {
    if (missing.length === 0) return this.#allOf(topicIds, range)
    const { ids, reached } = await this.#inSources(missing, range)
    const wanted = new Set(topicIds)
    const inTopics = findMessages(this.#sql, ids).filter(({ topicId }) => wanted.has(topicId))
    return { ids: inTopics.map(({ id }) => id), reached }
  }

  /** Returns every message of the topics; where they are many, of the organization's next messages. */
  #allOf(topicIds: readonly number[], { above, below, newestFirst, limit }: SearchRange): SearchPage {
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
    const end = walk.run(({ id }) => ids.push(id) < limit, this.#turns.unlimited())
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
