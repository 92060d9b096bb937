import type { BodyStore, SearchRange } from '../../../core/command.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { containsNeedle } from '../../../core/search-text.ts'
import type { Viewer } from '../message-access.ts'
import { findMessages, type IndexedMessage } from '../message-rows.ts'
import { compileNarrow } from '../narrow/compile-narrow.ts'
import { MatchingMessages } from '../narrow/matching-messages.ts'
import { LARGEST_ANCHOR, type WindowRequest, wantedUnread } from '../narrow/message-window.ts'
import type { NarrowTerm } from '../narrow/narrow-terms.ts'
import { universeOf } from '../narrow/universe.ts'
import { topicById } from '../topic-rows.ts'
import { HitSearch } from './search-hits.ts'
import { type SearchTerms, searchTermsOf } from './search-terms.ts'

/** Ids that pass the search, ascending: all that a request needs. Undefined when it does not search. */
export type SearchHits = readonly number[] | undefined

/** How many candidates are looked at together. */
const PAGE = 1_000

type View = Pick<RealmView, 'sql'>

/**
 * Looks messages up by their text until there are enough that also pass the narrow's other terms. Runs in
 * `load`: the realm is not held meanwhile, and whoever selects afterwards checks every term and access again.
 * `terms` are without `with`.
 */
export async function loadHits(
  store: BodyStore,
  view: RealmView,
  viewer: Viewer,
  terms: readonly NarrowTerm[],
  window: WindowRequest,
): Promise<SearchHits> {
  const search = searchTermsOf(terms)
  if (!search) return undefined
  const plan = compileNarrow(view, viewer, terms)
  const matching = new MatchingMessages(view, viewer, plan, universeOf(view, viewer, plan))
  const candidates = new Candidates(view, store, matching, search)
  const found = new Set<number>()
  const collect = async (
    from: number,
    newestFirst: boolean,
    enough: (message: IndexedMessage) => boolean,
  ) => {
    for await (const message of candidates.beyond(from, newestFirst)) {
      found.add(message.id)
      if (enough(message)) return message.id
    }
    return undefined
  }
  const anchor =
    window.anchor === 'first_unread'
      ? ((await collect(0, false, wantedUnread(view, viewer, plan))) ?? LARGEST_ANCHOR)
      : window.anchor
  // The anchor itself is looked for with what is before it.
  await collect(anchor + 1, true, countdown(window.before + 1))
  if (window.after > 0) await collect(anchor, false, countdown(window.after))
  return [...found].sort((a, b) => a - b)
}

/** Of these messages, those that pass the search: by reading them. */
export async function hitsAmong(
  store: BodyStore,
  { sql }: View,
  terms: readonly NarrowTerm[],
  ids: readonly number[],
): Promise<SearchHits> {
  const search = searchTermsOf(terms)
  if (!search) return undefined
  const found: number[] = []
  // Whoever has no body at the end was deleted meanwhile.
  for (let left = findMessages(sql, ids); left.length > 0; ) {
    const bodies = await store.read(left.map(({ id }) => id))
    if (bodies.size === 0) break
    for (const { id, topicId } of left) {
      const body = bodies.get(id)
      if (!body) continue
      const texts = [body.content, topicById(sql, topicId)?.name ?? '']
      const contains = (needle: string) => texts.some((text) => containsNeedle(text, needle))
      if (search.all.every(contains) && !search.none.some((group) => group.every(contains))) found.push(id)
    }
    left = left.filter(({ id }) => !bodies.has(id))
  }
  return found.sort((a, b) => a - b)
}

function countdown(count: number): () => boolean {
  let left = count
  return () => {
    left -= 1
    return left <= 0
  }
}

/** Messages that pass text and other terms, page by page. */
class Candidates {
  readonly #view: View
  readonly #matching: MatchingMessages
  /** Undefined when only negated terms search: then all that match otherwise are candidates. */
  readonly #wanted: HitSearch | undefined
  readonly #unwanted: readonly HitSearch[]

  constructor(view: View, store: BodyStore, matching: MatchingMessages, { all, none }: SearchTerms) {
    this.#view = view
    this.#matching = matching
    this.#wanted = all.length > 0 ? new HitSearch(view.sql, store, all) : undefined
    this.#unwanted = none.map((group) => new HitSearch(view.sql, store, group))
  }

  async *beyond(from: number, newestFirst: boolean): AsyncGenerator<IndexedMessage, void, undefined> {
    let position: number | null = from
    while (position !== null) {
      const page: { messages: IndexedMessage[]; reached: number | null } = await this.#page(
        position,
        newestFirst,
      )
      const { messages, reached } = page
      const unwanted = await this.#unwantedAmong(messages)
      yield* messages.filter(({ id }) => !unwanted.has(id))
      position = reached
    }
  }

  async #page(from: number, newestFirst: boolean) {
    if (!this.#wanted) {
      const messages = this.#matching.beyond(from, newestFirst ? -1 : 1, PAGE)
      return { messages, reached: messages.length < PAGE ? null : messages.at(-1)!.id }
    }
    const { ids, reached } = await this.#wanted.page(rangeBeyond(from, newestFirst))
    const messages = this.#matching.among(findMessages(this.#view.sql, ids))
    return { messages: newestFirst ? messages.reverse() : messages, reached }
  }

  async #unwantedAmong(messages: readonly IndexedMessage[]): Promise<Set<number>> {
    const ids = messages.map(({ id }) => id)
    const found = new Set<number>()
    if (ids.length === 0) return found
    for (const search of this.#unwanted) {
      const below = Math.max(...ids) + 1
      for (let above: number | null = Math.min(...ids) - 1; above !== null; ) {
        const page = await search.page({ above, below, newestFirst: false, limit: PAGE })
        for (const id of page.ids) found.add(id)
        above = page.reached
      }
    }
    return found
  }
}

function rangeBeyond(from: number, newestFirst: boolean): SearchRange {
  return newestFirst
    ? { above: 0, below: from, newestFirst, limit: PAGE }
    : { above: from, below: Number.MAX_SAFE_INTEGER, newestFirst, limit: PAGE }
}
