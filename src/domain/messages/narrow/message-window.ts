import { BadRequestError } from '../../../core/errors.ts'
import { BudgetSpentError, type RealmView } from '../../../core/realm-transaction.ts'
import { findMessages, firstMessageSince, type IndexedMessage, newestMessageId } from '../message-rows.ts'
import type { MatchingMessages } from './matching-messages.ts'
import type { WalkRequest } from './walk-messages.ts'
import { WorkBudget } from './work-budget.ts'

/** "newest" as a number; clients send it, and larger ones. No double lies between it and its neighbours. */
export const MAX_ANCHOR = 10_000_000_000_000_000

/** `since`: the first message of the narrow that was sent then or later; UNIX seconds. */
export type Anchor = number | 'first_unread' | { readonly since: number }

/** A request for messages around an anchor. */
export interface WindowRequest {
  readonly anchor: Anchor
  readonly includeAnchor: boolean
  readonly before: number
  readonly after: number
}

export interface MessageWindow {
  /** Ascending by id. */
  readonly messages: readonly IndexedMessage[]
  readonly found: {
    /** The anchor as a number. */
    readonly anchor: number
    readonly found_anchor: boolean
    readonly found_oldest: boolean
    readonly found_newest: boolean
  }
}

/** Reads an anchor: a word, or a number however large or small. Source: docs/interface/reading.md#anchors. */
export function readAnchor(anchor: string, date: string | undefined): Anchor {
  const word = anchor.trim()
  if (word === 'oldest') return 0
  if (word === 'newest') return MAX_ANCHOR
  if (word === 'first_unread') return word
  if (word === 'date') return { since: secondsOf(date) }
  if (!/^[+-]?\d+$/.test(word)) throw new BadRequestError('Invalid anchor')
  return Math.min(Math.max(Number(word), 0), MAX_ANCHOR)
}

const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/** Reads a date, or a date and a time, which are those of UTC unless they say otherwise. */
function secondsOf(date: string | undefined): number {
  if (date === undefined) throw new BadRequestError("Missing 'anchor_date' argument.")
  const [text, day, zone] = ISO_DATE.exec(date.trim()) ?? []
  const isDayAlone = text === day
  const at = text === undefined ? Number.NaN : Date.parse(isDayAlone || zone ? text : `${text}Z`)
  // A day that its month does not have is taken as one of the next.
  const isDay = day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)
  if (Number.isNaN(at) || !isDay) throw new BadRequestError('Invalid anchor_date')
  return Math.ceil(at / 1_000)
}

/** Facts that `load` gives to the selection of messages around an anchor. */
export interface LoadedWindow {
  /** Number of rows that may be read in this turn. */
  readonly rowsAtOnce: number
  /** Messages that were found in several turns, where one was not enough or there was a text search. */
  readonly found?: FoundWindow
}

export interface FoundWindow {
  readonly anchor: number
  /** Ascending ids, not more than are wanted; the selection checks each again. */
  readonly ids: readonly number[]
  /** Whether there are no others before the anchor, or after it. */
  readonly isOldestFound: boolean
  readonly isNewestFound: boolean
}

/** Returns the budget of this turn, from the compilation of the narrow on. */
export function budgetOfWindow(
  { sql }: Pick<RealmView, 'sql'>,
  { before, after }: Pick<WindowRequest, 'before' | 'after'>,
  { rowsAtOnce, found }: LoadedWindow,
): WorkBudget {
  return new WorkBudget(sql, found ? Number.POSITIVE_INFINITY : rowsAtOnce + 2 * (before + after))
}

/**
 * Selects messages around an anchor. Source: docs/interface/reading.md#anchors.
 * @throws BudgetSpentError when one turn's budget is not enough: see load-window.ts.
 */
export function messagesAround(
  view: Pick<RealmView, 'sql'>,
  matching: MatchingMessages,
  request: WindowRequest,
  { found }: LoadedWindow,
  budget: WorkBudget,
): MessageWindow {
  const anchor = found?.anchor ?? numberOf(view, matching, request.anchor, budget)
  const before = beyond(matching, { from: anchor, direction: -1, wanted: request.before }, budget).reverse()
  const at = request.includeAnchor && anchor < MAX_ANCHOR ? matching.at(anchor) : undefined
  // Most requests end at the newest message: there is nothing above it.
  const after =
    request.after === 0 || anchor >= newestMessageId(view.sql)
      ? []
      : beyond(matching, { from: anchor, direction: 1, wanted: request.after }, budget)
  return {
    messages: [...before, ...(at ? [at] : []), ...after],
    found: {
      anchor,
      found_anchor: at !== undefined,
      found_oldest: anchor === 0 || (before.length < request.before && found?.isOldestFound !== false),
      found_newest: anchor >= MAX_ANCHOR || (after.length < request.after && found?.isNewestFound !== false),
    },
  }
}

/**
 * Returns the window of messages that were found in several turns: the first `limit` of them as far as they still belong
 * to the narrow, and the ids of the others, which are to be checked when they are presented.
 */
export function foundBefore(
  view: Pick<RealmView, 'sql'>,
  matching: MatchingMessages,
  { includeAnchor, before, after }: WindowRequest,
  { anchor, ids, isOldestFound, isNewestFound }: FoundWindow,
  limit: number,
): MessageWindow & { readonly rest: readonly number[] } {
  return {
    messages: matching.among(findMessages(view.sql, ids.slice(0, limit))),
    rest: ids.slice(limit),
    found: {
      anchor,
      found_anchor: includeAnchor && matching.at(anchor) !== undefined,
      found_oldest: anchor === 0 || (before > 0 && isOldestFound),
      found_newest: anchor >= MAX_ANCHOR || (after > 0 && isNewestFound),
    },
  }
}

function numberOf(
  { sql }: Pick<RealmView, 'sql'>,
  matching: MatchingMessages,
  anchor: Anchor,
  budget: WorkBudget,
): number {
  if (anchor === 'first_unread') return firstUnread(matching, budget)
  if (typeof anchor === 'number') return anchor
  const from = firstMessageSince(sql, anchor.since) - 1
  return beyond(matching, { from, direction: 1, wanted: 1 }, budget)[0]?.id ?? MAX_ANCHOR
}

function beyond(matching: MatchingMessages, request: WalkRequest, budget: WorkBudget): IndexedMessage[] {
  const messages: IndexedMessage[] = []
  if (request.wanted === 0) return messages
  const end = matching.walk(request).run((message) => messages.push(message) < request.wanted, budget)
  if (end === 'spent') throw new BudgetSpentError()
  return messages
}

/** Returns the oldest unread message that is not muted; without one the newest end. */
function firstUnread(matching: MatchingMessages, budget: WorkBudget): number {
  let first: number | undefined
  const end = matching.walkUnread().run(({ id }) => {
    first = id
    return false
  }, budget)
  if (end === 'spent') throw new BudgetSpentError()
  return first ?? MAX_ANCHOR
}
