import type { MessageSearch, SearchPage, SearchRange } from '../../../core/command.ts'
import { containsNeedle } from '../../../core/search-text.ts'
import type { Sql } from '../../../core/sql.ts'
import { findMessages } from '../message-rows.ts'
import { topicSource } from '../narrow/message-sources.ts'
import { walkMessages } from '../narrow/walk-messages.ts'
import { listTopicNames } from '../topic-rows.ts'

/** Kinds of topics that are searched apart, each with a query of its own; the commonest. */
const MOST_QUERIES = 20

/**
 * Searches sources and topics. Sources are D1's matter, topics the realm's, since they change for a thousand
 * messages at once: so for every choice of needles that some topics contain, the rest of the needles is
 * looked for in the sources of those topics' messages.
 */
export class HitSearch {
  readonly #sql: Sql
  readonly #search: MessageSearch
  readonly #needles: readonly string[]
  /** Topics by the needles that their names lack, as JSON. */
  readonly #topics: ReadonlyMap<string, readonly number[]>

  constructor(sql: Sql, search: MessageSearch, needles: readonly string[]) {
    this.#sql = sql
    this.#search = search
    this.#needles = needles
    this.#topics = topicsByMissing(sql, needles)
  }

  /** Messages that contain every needle, in source or topic. */
  async page(range: SearchRange): Promise<SearchPage> {
    const pages = await Promise.all([
      this.#search.search(this.#needles, range),
      ...[...this.#topics].map(([missing, topicIds]) =>
        this.#pageOfTopics(JSON.parse(missing) as string[], topicIds, range),
      ),
    ])
    return joinPages(pages, range.newestFirst)
  }

  async #pageOfTopics(
    missing: readonly string[],
    topicIds: readonly number[],
    range: SearchRange,
  ): Promise<SearchPage> {
    if (missing.length === 0) return this.#allOf(topicIds, range)
    const { ids, reached } = await this.#search.search(missing, range)
    const wanted = new Set(topicIds)
    const inTopics = findMessages(this.#sql, ids).filter(({ topicId }) => wanted.has(topicId))
    return { ids: inTopics.map(({ id }) => id), reached }
  }

  #allOf(topicIds: readonly number[], { above, below, newestFirst, limit }: SearchRange): SearchPage {
    const sources = topicIds.map((id) => topicSource(this.#sql, id))
    const ids: number[] = []
    for (const { id } of walkMessages(sources, newestFirst ? below : above, newestFirst ? -1 : 1)) {
      if (newestFirst ? id <= above : id >= below) break
      ids.push(id)
      if (ids.length === limit) return { ids, reached: id }
    }
    return { ids, reached: null }
  }
}

function topicsByMissing(sql: Sql, needles: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const { id, name } of listTopicNames(sql)) {
    const missing = needles.filter((needle) => !containsNeedle(name, needle))
    if (missing.length === needles.length) continue
    const key = JSON.stringify(missing)
    const ids = found.get(key)
    if (ids) ids.push(id)
    else found.set(key, [id])
  }
  const commonest = [...found].sort(([, a], [, b]) => b.length - a.length)
  return new Map(commonest.slice(0, MOST_QUERIES))
}

/** The pages end at different ids: what is beyond the first of these is found again with the next page. */
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
