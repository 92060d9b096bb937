import type { BodyStore } from '../../../core/command.ts'
import { BudgetSpentError, type RealmView, type StaleError } from '../../../core/realm-transaction.ts'
import { firstMessageSince, type IndexedMessage } from '../message-rows.ts'
import type { Viewer } from '../read/message-access.ts'
import { searchTermsOf } from '../search/search-terms.ts'
import { SearchedMatches } from '../search/searched-matches.ts'
import { compileNarrow } from './compile-narrow.ts'
import { MatchingMessages } from './matching-messages.ts'
import type { Direction } from './message-source-rows.ts'
import { type Anchor, type LoadedWindow, MAX_ANCHOR, type WindowRequest } from './message-window.ts'
import type { NarrowTerm } from './narrow-terms.ts'
import { universeOf } from './universe.ts'
import { type Matches, Turns, tooManyToLookThrough } from './walk-in-turns.ts'

/**
 * Finds messages around an anchor in several turns, if there is a text search, many are wanted or one turn was not enough
 * (`stale` says so). Runs in `load`: nothing is locked meanwhile, and the selection afterwards checks every
 * term and access again. `terms` are without `with`.
 *
 * @throws BadRequestError when one request's whole budget has found nothing.
 * @throws ServiceUnavailableError when too many wait for their turn.
 */
export async function loadWindow(
  store: BodyStore,
  view: RealmView,
  viewer: Viewer,
  terms: readonly NarrowTerm[],
  window: WindowRequest,
  stale: StaleError | undefined,
): Promise<LoadedWindow> {
  const { rowsAtOnce, pageAtOnce } = store.walks.budgets
  const search = searchTermsOf(terms)
  const isLong = stale instanceof BudgetSpentError || window.before + window.after > pageAtOnce
  if (!search && !isLong) return { rowsAtOnce }
  const turns = new Turns(store.walks, view.sql)
  if (!search) await turns.next()
  const plan = compileNarrow(view, viewer, terms)
  const matching = new MatchingMessages(view, viewer, plan, universeOf(view, viewer, plan))
  const matches: Matches = search
    ? await SearchedMatches.prepare(view, store, matching, search, turns)
    : {
        beyond: (from, direction, visit, wanted) =>
          turns.walk(matching.walk({ from, direction, wanted }), visit),
        unread: (visit) => turns.walk(matching.walkUnread(), visit),
        has: (id) => Promise.resolve(matching.at(id) !== undefined),
      }
  const anchor = await numberOf(window.anchor)
  const ids: number[] = []
  // The anchor itself, if wanted, is looked for with the messages before it.
  const isOldestFound = await collect(window.includeAnchor ? anchor + 1 : anchor, -1, window.before)
  const isNewestFound = await collect(anchor, 1, window.after)
  await turns.restBeforeAnswer()
  return { rowsAtOnce, found: { anchor, ids: ids.sort((a, b) => a - b), isOldestFound, isNewestFound } }

  async function numberOf(asked: Anchor): Promise<number> {
    if (typeof asked === 'number') return asked
    return asked === 'first_unread' ? firstUnread() : firstSince(asked.since)
  }

  async function firstSince(since: number): Promise<number> {
    let first: number | undefined
    const visit = ({ id }: IndexedMessage) => {
      first = id
      return false
    }
    const end = await matches.beyond(firstMessageSince(view.sql, since) - 1, 1, visit, 1)
    if (end === 'spent' && first === undefined) throw tooManyToLookThrough()
    return first ?? MAX_ANCHOR
  }

  async function firstUnread(): Promise<number> {
    let first: number | undefined
    const end = await matches.unread(({ id }) => {
      first = id
      return false
    })
    if (end === 'spent') throw tooManyToLookThrough()
    return first ?? MAX_ANCHOR
  }

  /** Collects messages, and returns whether all have been found. */
  async function collect(from: number, direction: Direction, wanted: number): Promise<boolean> {
    if (wanted === 0) {
      if (direction === -1 && window.includeAnchor && (await matches.has(anchor))) ids.push(anchor)
      return false
    }
    let left = wanted
    const visit = ({ id }: IndexedMessage) => {
      ids.push(id)
      if (id !== anchor) left -= 1
      return left > 0
    }
    const end = await matches.beyond(from, direction, visit, wanted)
    if (end === 'spent' && left === wanted) throw tooManyToLookThrough()
    return end === 'finished'
  }
}
