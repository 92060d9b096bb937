import { BadRequestError } from '../../../core/errors.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import type { Viewer } from '../message-access.ts'
import { type IndexedMessage, newestMessageId } from '../message-rows.ts'
import { ReadSet } from '../read-rows.ts'
import { topicById } from '../topic-rows.ts'
import { isUnread, notMuted } from './compile-is.ts'
import type { MatchingMessages } from './matching-messages.ts'
import type { NarrowPlan } from './narrow-plan.ts'

/** "newest" as a number; clients send it, and larger ones. No double lies between it and its neighbours. */
export const LARGEST_ANCHOR = 10_000_000_000_000_000

export type Anchor = number | 'first_unread'

/** Some messages around an anchor. */
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
    /** As a number. */
    readonly anchor: number
    readonly found_anchor: boolean
    readonly found_oldest: boolean
    readonly found_newest: boolean
  }
}

/**
 * Reads an anchor: a word, or a number however large or small.
 * Source: core-endpoints 5, Anchors.
 */
export function readAnchor(anchor: string): Anchor {
  const word = anchor.trim()
  if (word === 'oldest') return 0
  if (word === 'newest') return LARGEST_ANCHOR
  if (word === 'first_unread') return word
  if (!/^[+-]?\d+$/.test(word)) throw new BadRequestError('Invalid anchor')
  return Math.min(Math.max(Number(word), 0), LARGEST_ANCHOR)
}

/** Source: core-endpoints 5, Selection. */
export function messagesAround(
  view: Pick<RealmView, 'sql'>,
  viewer: Viewer,
  plan: NarrowPlan,
  matching: MatchingMessages,
  request: WindowRequest,
): MessageWindow {
  const anchor =
    request.anchor === 'first_unread' ? firstUnread(view, viewer, plan, matching) : request.anchor
  const before = matching.beyond(anchor, -1, request.before).reverse()
  const at = request.includeAnchor ? matching.at(anchor) : undefined
  // Most requests end at the newest message: nothing has to be looked for above it.
  const after = anchor >= newestMessageId(view.sql) ? [] : matching.beyond(anchor, 1, request.after)
  return {
    messages: [...before, ...(at ? [at] : []), ...after],
    found: {
      anchor,
      found_anchor: at !== undefined,
      found_oldest: anchor === 0 || before.length < request.before,
      found_newest: anchor >= LARGEST_ANCHOR || after.length < request.after,
    },
  }
}

/** The oldest unread message that is not muted; without one the newest end. */
function firstUnread(
  view: Pick<RealmView, 'sql'>,
  viewer: Viewer,
  plan: NarrowPlan,
  matching: MatchingMessages,
): number {
  const wanted = wantedUnread(view, viewer, plan)
  const read = new ReadSet(view.sql, viewer.user)
  const below = matching.firstAmong(read.unreadBelowFloor(), wanted)
  return (below ?? matching.first(read.floor, wanted))?.id ?? LARGEST_ANCHOR
}

/** Unread, and not muted: a channel that the narrow names is looked at although it is muted. */
export function wantedUnread(
  view: Pick<RealmView, 'sql'>,
  viewer: Viewer,
  { channels }: NarrowPlan,
): (message: IndexedMessage) => boolean {
  const unread = isUnread(view, viewer)
  const { topic } = notMuted(view, viewer, { exceptChannels: channels.length > 0 })
  return (message) =>
    unread(message) && topic(message.topicId === 0 ? undefined : topicById(view.sql, message.topicId))
}
