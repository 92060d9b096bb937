import { IdSet } from '../../core/id-set.ts'
import type { Sql } from '../../core/sql.ts'
import {
  listMoveChains,
  listMovesInto,
  type MessageMove,
  type MoveIntoChannel,
} from '../messages/move/message-move-rows.ts'
import { openAmong } from '../users/account-set-rows.ts'
import { heldAfter, type IdRange, merged, type PastOfUser, withMoves } from './moved-ranges.ts'
import { presentSubscribersSince, type ReceivedRange } from './period-rows.ts'
import { groupByArrival, type ReceivedMessage } from './received-range-rows.ts'

/** A time for which a user was subscribed to a channel: events and messages above `since`, up to `until`. */
interface Period extends IdRange {
  readonly sinceEvent: number
  readonly untilEvent: number
}

type PeriodFacts = [
  userId: number,
  since: number,
  sinceEvent: number,
  until: number | null,
  untilEvent: number | null,
]

/**
 * Returns a function that says, for thousands of users, which messages of the channel each has received: what `receivedReader` says of one,
 * with a statement for each channel instead of some for each user.
 */
export function receivedByMany(
  sql: Sql,
  channelId: number,
  userIds: readonly number[],
): (messages: readonly ReceivedMessage[]) => (userId: number) => number[] {
  const pastOf = pastOfMany(sql, userIds)
  return (messages) => {
    const groups = groupByArrival(sql, channelId, messages)
    return (userId) => {
      const past = pastOf(userId)
      return groups.flatMap(({ chain, messageIds }) => {
        const held = chain ? heldAfter(chain, past) : past.periods(channelId)
        return held.length === 0
          ? []
          : messageIds.filter((id) => held.some(({ since, until }) => id > since && id <= until))
      })
    }
  }
}

/** Returns those of the users whose accounts are open and who have received a message of the channel, ascending. */
export function receiversAmongMany(
  sql: Sql,
  channelId: number,
  message: ReceivedMessage,
  userIds: readonly number[],
): number[] {
  const wasMovedHere = groupByArrival(sql, channelId, [message]).some(({ chain }) => chain)
  // Most have been there since: of them nothing else is read. Moved messages did not come when their ids say.
  const wasThere = wasMovedHere
    ? IdSet.none
    : presentSubscribersSince(sql, channelId, { message: message.id })
  const others = userIds.filter((id) => !wasThere.has(id))
  const received = others.length === 0 ? undefined : receivedByMany(sql, channelId, others)([message])
  return openAmong(
    sql,
    userIds.filter((id) => wasThere.has(id) || received!(id).length > 0),
  )
}

/** Returns everything that any of the users has received in the channel, as `receivedRanges` does of one. */
export function rangesReceivedByAny(
  sql: Sql,
  userIds: readonly number[],
  channelId: number,
): ReceivedRange[] {
  const pastOf = pastOfMany(sql, userIds)
  const pasts = userIds.map(pastOf)
  const periods = merged(pasts.flatMap((past) => past.periods(channelId)))
  const moves = listMovesInto(sql, [channelId])
  const chains = listMoveChains(
    sql,
    moves.map(({ id }) => id),
  )
  const held = ({ id }: MoveIntoChannel) => heldByAny(chains.get(id)!, pasts)
  return withMoves(periods, moves, held).map(({ since, until }) => ({ channelId, since, until }))
}

/** Returns what any of the users had of a move's messages after it. The first who had them all is enough. */
function heldByAny(chain: readonly MessageMove[], pasts: readonly PastOfUser[]): readonly IdRange[] {
  const found: IdRange[] = []
  for (const past of pasts) {
    const held = heldAfter(chain, past)
    if (held.some(({ since, until }) => since === 0 && until === Number.MAX_SAFE_INTEGER)) return held
    found.push(...held)
  }
  return merged(found)
}

/** Returns facts about the past subscriptions of each of the users, whose periods in a channel are read together. */
function pastOfMany(sql: Sql, userIds: readonly number[]): (userId: number) => PastOfUser {
  const channels = new Map<number, ReadonlyMap<number, readonly Period[]>>()
  const periodsIn = (id: number) => {
    const known = channels.get(id) ?? periodsOfMany(sql, id, userIds)
    channels.set(id, known)
    return known
  }
  return (userId) => ({
    periods: (id) => periodsIn(id).get(userId) ?? [],
    subscribedAt: (id, eventId) =>
      (periodsIn(id).get(userId) ?? []).some(
        ({ sinceEvent, untilEvent }) => eventId > sinceEvent && eventId <= untilEvent,
      ),
  })
}

function periodsOfMany(
  sql: Sql,
  channelId: number,
  userIds: readonly number[],
): ReadonlyMap<number, readonly Period[]> {
  // In one row, since there may be ten thousand.
  const periods = sql
    .list<PeriodFacts>(
      `SELECT json_group_array(json_array(user_id, since_message, since_event, until_message, until_event)) AS facts FROM (
       SELECT s.user_id, s.since_message, s.since_event, NULL AS until_message, NULL AS until_event
       FROM json_each(?1) j CROSS JOIN subscription s ON s.channel_id = ?2 AND s.user_id = j.value AND s.is_active = 1
       UNION ALL
       SELECT p.user_id, p.since_message, p.since_event, p.until_message, p.until_event
       FROM json_each(?1) j CROSS JOIN subscription_period p ON p.user_id = j.value AND p.channel_id = ?2)`,
      userIds,
      channelId,
    )
    .map(([userId, since, sinceEvent, until, untilEvent]) => ({
      userId,
      since,
      sinceEvent,
      until: until ?? Number.MAX_SAFE_INTEGER,
      untilEvent: untilEvent ?? Number.MAX_SAFE_INTEGER,
    }))
  return Map.groupBy(periods, ({ userId }) => userId)
}
