import { BYTES_AT_ONCE, DELIVERY_OF_ONE_SLICE, EVENTS_AT_ONCE, TEXT_OF_SLICE } from '../../core/budgets.ts'
import type { Sql } from '../../core/sql.ts'
import { EVENT_TYPES } from '../../events/index.ts'
import type { LoggedEvent } from '../../events/log.ts'
import type { EventQueue } from '../../events/queue.ts'
import { type DeliveryFacts, representationsForQueue } from '../../events/read-queue.ts'
import type { EventRepresentation } from '../../events/representations.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import {
  allSubscribedSince,
  type SubscribedSince,
  subscribedAtEvent,
  subscribedSince,
  subscriptionsSince,
} from '../../store/subscriptions/period-rows.ts'
import { presentRoles, roleAt } from '../../store/users/accounts/role-rows.ts'
import type { PollRuntime } from './poll-runtime.ts'

/** The work that one turn of the object has spent on delivering events. */
export class DeliverySlice {
  #looks = 0
  #characters = 0
  #charactersOfLog = 0

  /** Counts a look at an event, whose audience may have many channels. */
  lookedAt({ audience }: LoggedEvent): void {
    this.#looks += 1
    for (const { channels } of audience.parts ?? []) this.#looks += channels.length
  }

  /** Counts characters that were read from the log. */
  read(characters: number): void {
    this.#charactersOfLog += characters
  }

  /** Counts characters that were given to a client. */
  gave(characters: number): void {
    this.#characters += characters
  }

  get isSpent(): boolean {
    if (this.#looks >= DELIVERY_OF_ONE_SLICE.looks) return true
    return this.#characters >= BYTES_AT_ONCE || this.#charactersOfLog >= TEXT_OF_SLICE
  }
}

/** Result of looking into the log for a queue. */
export interface Look {
  /** The events, at least the first one: the client's next poll gets the rest. */
  readonly events: readonly EventRepresentation[]
  /** Without events: there are none up to here, above the client's cursor. */
  readonly upTo: number
  /** False if the turn has done enough, and there is more to look at. */
  readonly isOver: boolean
}

/** Looks for a queue's events above the cursor, from `scanned` on, below which there are none: in order, as many as one answer holds. */
export function lookForEvents(
  { buffer, forms: made, sql, ids, now }: Pick<PollRuntime, 'buffer' | 'forms' | 'sql' | 'ids' | 'now'>,
  queue: EventQueue,
  { cursor, scanned }: { readonly cursor: number; readonly scanned: number },
  facts: DeliveryFacts,
  turn: DeliverySlice,
): Look {
  const events: EventRepresentation[] = []
  let characters = 0
  for (let after = Math.max(scanned, queue.startEvent); ; ) {
    const read = buffer.readAfter(sql, after, now(), EVENTS_AT_ONCE)
    turn.read(read.charactersOfLog)
    for (const entry of read.events) {
      turn.lookedAt(entry)
      const forms = representationsForQueue(entry, queue, cursor, facts, EVENT_TYPES, made)
      for (const form of forms) {
        const size = form.text.length
        const fits = characters + size <= EVENTS_AT_ONCE.characters
        if (events.length > 0 && !(fits && events.length < EVENTS_AT_ONCE.entries)) {
          return { events, upTo: after, isOver: false }
        }
        events.push(form)
        characters += size
        turn.gave(size)
      }
    }
    if (read.upTo === Number.POSITIVE_INFINITY) return { events, upTo: ids.last, isOver: true }
    after = read.upTo
    if (events.length > 0 || turn.isSpent) return { events, upTo: after, isOver: false }
  }
}

/** Number of users up to which facts are read for each of them, and kept. */
const FEW = 8

/**
 * Returns facts about the past, from the realm's periods, for delivery to these users. A fact about one of them is read
 * for all at once, so that an event costs one query, or none when it was kept: the subscribers of a channel are kept
 * together if they are not more than the clients `waiting`. The result is valid for one turn, since it does not see changes.
 */
export function deliveryFactsAmong(
  sql: Sql,
  userIds: readonly number[],
  waiting = userIds.length,
): DeliveryFacts {
  const channels = new Map<number, SubscribedSince>()
  let roles: ReturnType<typeof presentRoles> | undefined
  // A power of two, since the subscribers are kept separately for each limit.
  const limit = 2 ** Math.ceil(Math.log2(waiting))
  const usersOf = (channelId: number) =>
    allSubscribedSince(sql, channelId, limit) ?? subscribedSince(sql, channelId, userIds)
  const wasIn = (since: number | undefined, channelId: number, userId: number, eventId: number) =>
    (since !== undefined && eventId > since) || subscribedAtEvent(sql, channelId, userId, eventId)
  return {
    emptyTopicDisplayName: EMPTY_TOPIC_DISPLAY_NAME,
    subscribedAt(channelId, userId, eventId) {
      if (userIds.length <= FEW) return subscribedAtEvent(sql, channelId, userId, eventId)
      const users = channels.get(channelId) ?? usersOf(channelId)
      channels.set(channelId, users)
      return users.has(userId) && wasIn(users.get(userId), channelId, userId, eventId)
    },
    channelsAt(channelIds, userId, eventId) {
      // A turn has counted these channels; a user may be in thousands.
      const since = subscriptionsSince(sql, userId, channelIds)
      return channelIds.filter((id) => since.has(id) && wasIn(since.get(id), id, userId, eventId))
    },
    roleAt(userId, eventId) {
      roles ??= presentRoles(sql, userIds)
      const present = roles.get(userId)
      return present && eventId > present.since ? present.role : (roleAt(sql, userId, eventId) ?? 600)
    },
  }
}
