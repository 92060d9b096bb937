import type { BodyStore } from '../../core/other-stores.ts'
import { defineReader, type Steps } from '../../core/reader.ts'
import type { RealmReads, RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { isSpectator } from '../../rules/access.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import { type IndexedMessage, newestMessageId } from '../../store/messages/message-rows.ts'
import { partsSince } from '../../store/messages/message-time-rows.ts'
import type { Direction } from '../../store/messages/narrow/message-source-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import type { Viewer } from '../messages/read/message-access.ts'
import { candidateSetOf } from './candidate-set.ts'
import { compileNarrow } from './compile-narrow.ts'
import { type Matches, MatchingMessages } from './matching-messages.ts'
import {
  type FoundWindow,
  MAX_ANCHOR,
  type MessageWindow,
  messagesAround,
  RowLimit,
  tooManyToLookThrough,
  type WindowRequest,
} from './message-window.ts'
import { type NarrowTerm, type SearchTerms, searchTermsOf } from './narrow-terms.ts'
import { SearchedMatches } from './search/searched-matches.ts'
import type { Visit } from './walk-messages.ts'

/** A request for messages of a narrow around an anchor. `terms` are without `with`. */
interface NarrowedWindow {
  readonly view: RealmView
  readonly viewer: Viewer
  readonly terms: readonly NarrowTerm[]
  readonly window: WindowRequest
  /** The messages of the narrow, as the view has them: read again only in a later turn. */
  readonly matching: MatchingMessages
}

/**
 * Returns the messages of a narrow around an anchor: the first `limit` of them, checked again, and the ids of the rest.
 * @throws BadRequestError when nothing was found within the limit of a request
 */
export function windowAround(
  view: RealmReads,
  viewer: Viewer,
  { terms, window }: Pick<NarrowedWindow, 'terms' | 'window'>,
  limit?: number,
): MessageWindow & { readonly rest: readonly number[] } {
  const asked = { view, viewer, terms, window }
  const wanted = searchTermsOf(terms)
  const searched = wanted && view.fetch('search', (stores) => searchWindow(stores, asked, wanted))
  const matching = matchingOf(asked, terms, searched?.ids)
  const around = searched ?? view.use(windowOfNarrow, { ...asked, matching })
  return messagesAround(view, matching, window, around, limit)
}

/** The messages around an anchor, for a narrow without a search. */
const windowOfNarrow = defineReader({
  name: 'messages of a narrow',
  allowStale: true,
  largeState: true,
  key: ({ viewer: { user, actor }, terms, window }: NarrowedWindow) =>
    JSON.stringify([user.id, actor.isFullMember, terms, window]),
  *read({ sql }, { terms, window, matching, ...asked }) {
    // Each call has a store of its own, which counts its rows; a later turn reads with another.
    const present = sql === asked.view.sql ? matching : matchingOf(presently(sql, asked), terms)
    return yield* findWindow(sql, walksOf(present), window, new RowLimit(sql))
  },
})

/** Finds the same for a narrow with a search. */
function searchWindow(
  stores: BodyStore,
  { terms, window, ...asking }: Omit<NarrowedWindow, 'matching'>,
  wanted: SearchTerms,
): Promise<FoundWindow> {
  const { sql } = asking.view
  const limit = new RowLimit(sql)
  const matching = matchingOf(asking, terms)
  const matches = new SearchedMatches({ sql, search: stores, matching, terms: wanted, limit })
  return stores.drive(findWindow(sql, matches, window, limit))
}

/** `hits` as in `compileNarrow`. */
function matchingOf(
  { view, viewer }: Pick<NarrowedWindow, 'view' | 'viewer'>,
  terms: readonly NarrowTerm[],
  hits?: readonly number[],
): MatchingMessages {
  const plan = compileNarrow(view, viewer, terms, hits)
  return new MatchingMessages(view, viewer, plan, candidateSetOf(view, viewer, plan))
}

/** Returns the present view and viewer for a reader, which may begin later than the request. */
export function presently(sql: Sql, { view, viewer }: Pick<NarrowedWindow, 'view' | 'viewer'>) {
  const { now, realm, proxiesPictures } = view
  const present: RealmView = { now, realm, proxiesPictures, sql }
  if (isSpectator(viewer.actor)) return { view: present, viewer }
  const user = findUser(sql, viewer.user.id)!
  return { view: present, viewer: { user, actor: actorOf(sql, user, now) } }
}

function walksOf(matching: MatchingMessages): Matches<number | undefined> {
  return {
    // biome-ignore lint/correctness/useYield: other implementations wait here
    *has(id): Steps<boolean> {
      return matching.at(id) !== undefined
    },
    beyond: (from, direction, visit, wanted) => matching.walk({ from, direction, wanted }).run(visit),
    unread: (visit) => matching.walkUnread().run(visit),
  }
}

/** @throws BadRequestError when nothing was found within the limit */
function* findWindow<Step>(
  sql: Sql,
  matches: Matches<Step>,
  { anchor: asked, includeAnchor, before, after }: WindowRequest,
  limit: RowLimit,
): Generator<Step, FoundWindow, unknown> {
  const ids: number[] = []
  const anchor =
    typeof asked === 'number'
      ? asked
      : yield* asked === 'first_unread' ? firstUnread() : firstSince(asked.since)
  // The anchor itself is looked for with the messages before it.
  const isOldestFound = yield* collect(includeAnchor ? anchor + 1 : anchor, -1, before)
  if (includeAnchor && before === 0 && (yield* matches.has(anchor))) ids.push(anchor)
  const isNewestFound = yield* collect(anchor, 1, after)
  return { anchor, ids: ids.sort((a, b) => a - b), isOldestFound, isNewestFound }

  function* firstSince(since: number): Generator<Step, number, unknown> {
    let found: IndexedMessage | undefined
    for (const { from, last, isImported } of partsSince(sql, since)) {
      const visit: Visit = (message) => {
        if (message.id > last) return false
        // Messages that people sent during an import are not in its order.
        if (isImported && (message.bits & MESSAGE_BIT.isImported) === 0) return true
        if (!found || message.sentAt < found.sentAt) found = message
        return false
      }
      if ((yield* limit.run(matches.beyond(from - 1, 1, visit, 1))) === 'spent') throw tooManyToLookThrough()
    }
    return found?.id ?? MAX_ANCHOR
  }

  function* firstUnread(): Generator<Step, number, unknown> {
    let first: number | undefined
    const visit: Visit = ({ id }) => {
      first = id
      return false
    }
    if ((yield* limit.run(matches.unread(visit))) === 'spent') throw tooManyToLookThrough()
    return first ?? MAX_ANCHOR
  }

  /** Collects messages, and returns whether these are all. */
  function* collect(from: number, direction: Direction, wanted: number): Generator<Step, boolean, unknown> {
    if (wanted === 0) return false
    // Most requests end at the newest message, above which there is nothing.
    if (direction === 1 && from >= newestMessageId(sql)) return true
    let left = wanted
    const visit: Visit = ({ id }) => {
      ids.push(id)
      if (id !== anchor) left -= 1
      return left > 0
    }
    const end = yield* limit.run(matches.beyond(from, direction, visit, wanted))
    if (end === 'spent' && left === wanted) throw tooManyToLookThrough()
    return end === 'finished'
  }
}
