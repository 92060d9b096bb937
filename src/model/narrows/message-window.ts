import { BadRequestError } from '../../core/errors.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { recentMessages } from '../../store/messages/recent-message-rows.ts'
import type { MatchingMessages } from './matching-messages.ts'

/** "newest" as a number; clients send this or larger ones. */
export const MAX_ANCHOR = 10_000_000_000_000_000

/** `since`: the first message of the narrow from that time on (UNIX seconds). */
export type Anchor = number | 'first_unread' | { readonly since: number }

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
    readonly anchor: number
    readonly found_anchor: boolean
    readonly found_oldest: boolean
    readonly found_newest: boolean
  }
}

/** Reads an anchor: a word, or a number of any size. Source: docs/interface/reading.md#anchors. */
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

/** Reads a date, or a date and a time, in UTC unless it states a zone. */
function secondsOf(date: string | undefined): number {
  if (date === undefined) throw new BadRequestError("Missing 'anchor_date' argument.")
  const [text, day, zone] = ISO_DATE.exec(date.trim()) ?? []
  const isDayAlone = text === day
  const at = text === undefined ? Number.NaN : Date.parse(isDayAlone || zone ? text : `${text}Z`)
  // A day that its month does not have would be taken as one of the next month.
  const isDay = day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)
  if (Number.isNaN(at) || !isDay) throw new BadRequestError('Invalid anchor_date')
  return Math.ceil(at / 1_000)
}

/** Messages around an anchor, as they were found. */
export interface FoundWindow {
  readonly anchor: number
  /** Ascending ids, not more than wanted. */
  readonly ids: readonly number[]
  /** Whether there are no others before or after the anchor. */
  readonly isOldestFound: boolean
  readonly isNewestFound: boolean
}

/**
 * Returns the messages that still belong to the narrow, of the first `limit` ones, and the ids of the rest, which are
 * checked when they are presented. Source: docs/interface/reading.md#anchors.
 */
export function messagesAround(
  { sql }: Pick<RealmView, 'sql'>,
  matching: MatchingMessages,
  { includeAnchor, before, after }: WindowRequest,
  { anchor, ids, isOldestFound, isNewestFound }: FoundWindow,
  limit = Number.POSITIVE_INFINITY,
): MessageWindow & { readonly rest: readonly number[] } {
  return {
    messages: matching.among(recentMessages(sql).find(sql, ids.slice(0, limit))),
    rest: ids.slice(limit),
    found: {
      anchor,
      found_anchor: includeAnchor && anchor < MAX_ANCHOR && matching.at(anchor) !== undefined,
      found_oldest: anchor === 0 || (before > 0 && isOldestFound),
      found_newest: anchor >= MAX_ANCHOR || (after > 0 && isNewestFound),
    },
  }
}

/** Rows that a request may read, in all of its turns: two for each message of an organization with a million. */
export const ROWS_OF_A_REQUEST = { limit: 2_000_000 }

/** A limit of the rows that steps read, over any number of turns. */
export class RowLimit {
  readonly #sql: Sql
  #left: number

  constructor(sql: Sql, rows = ROWS_OF_A_REQUEST.limit) {
    this.#sql = sql
    this.#left = rows
  }

  /** Counts other work, in rows. */
  spend(rows: number): void {
    this.#left -= rows
  }

  /** Does the steps as far as the limit allows. Pending answers are waited for. */
  *run<Step, End>(steps: Generator<Step, End, unknown>): Generator<Step, End | 'spent', unknown> {
    for (let answer: unknown; ; ) {
      const before = this.#sql.counts.read
      const step = steps.next(answer)
      this.#left -= this.#sql.counts.read - before
      if (step.done) return step.value
      if (typeof step.value === 'number') this.#left -= step.value
      if (this.#left <= 0 && !(step.value instanceof Promise)) return 'spent'
      answer = yield step.value
    }
  }
}

/** Returns the refusal of a request that has found nothing within its limit; otherwise clients continue from its answer. */
export function tooManyToLookThrough(): BadRequestError {
  return new BadRequestError(
    'Too many messages would have to be looked through. Please name a channel, a topic or a person.',
  )
}
