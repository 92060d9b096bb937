import { remember } from '../../core/remember.ts'
import type { Sql } from '../../core/sql.ts'
import type { IndexedMessage } from '../messages/message-rows.ts'
import {
  isMovedInto,
  listMoveChains,
  listMovesInto,
  type MessageMove,
  type MoveIntoChannel,
} from '../messages/move/message-move-rows.ts'
import { heldAfter, type IdRange, merged, type PastOfUser, sinceArrival, withMoves } from './moved-ranges.ts'
import {
  listPeriods,
  listPeriodsAmong,
  periodsIn,
  type ReceivedRange,
  subscribedAtEvent,
} from './period-rows.ts'

/**
 * Returns everything that a user has received, or has received in one channel: derived, never stored for each
 * message (docs/decisions/design.md#no-row-for-each-recipient). Ranges of a channel say nothing about
 * messages outside it. Moved messages may lead to thousands of ranges, where other messages of the channel
 * that the user has not received are among them: callers that know the messages use `receivedReader`.
 */
export function receivedRanges(sql: Sql, userId: number, channelId?: number): readonly ReceivedRange[] {
  return rangesOf(
    sql,
    userId,
    channelId === undefined ? listPeriods(sql, userId) : periodsIn(sql, userId, channelId),
  )
}

/**
 * Returns what `receivedRanges` does for some channels. `moves`: all that put messages into these, for callers who ask for one user after
 * the other.
 */
export function receivedRangesAmong(
  sql: Sql,
  userId: number,
  channelIds: readonly number[],
  moves?: readonly MoveIntoChannel[],
): readonly ReceivedRange[] {
  return rangesOf(sql, userId, listPeriodsAmong(sql, userId, channelIds), moves)
}

function rangesOf(
  sql: Sql,
  userId: number,
  periods: readonly ReceivedRange[],
  known?: readonly MoveIntoChannel[],
): readonly ReceivedRange[] {
  const channelIds = [...new Set(periods.map((period) => period.channelId))]
  const moves = known ?? (channelIds.length === 0 ? [] : listMovesInto(sql, channelIds))
  if (moves.length === 0) return periods
  const chains = listMoveChains(
    sql,
    moves.map(({ id }) => id),
  )
  const past = pastOfUser(sql, userId)
  const held = ({ id }: MessageMove) => heldAfter(chains.get(id)!, past)
  const periodsOf = Map.groupBy(periods, (period) => period.channelId)
  const movesInto = Map.groupBy(moves, (move) => move.channelId)
  return channelIds.flatMap((id) => {
    const own = periodsOf.get(id) ?? []
    const into = movesInto.get(id)
    // Hardly any of thousands of channels got messages by a move.
    if (!into) return own
    return withMoves(own, into, held).map(({ since, until }) => ({ channelId: id, since, until }))
  })
}

/** Facts of a message that show how it came into its channel. */
export type ReceivedMessage = Pick<IndexedMessage, 'id' | 'moveId'>

/**
 * Returns a function that says whether the user has received a message of this channel. For callers with
 * single messages: other moves are not read.
 */
export function receivedReader(
  sql: Sql,
  userId: number,
): (message: ReceivedMessage, channelId: number) => boolean {
  const past = pastOfUser(sql, userId)
  const isMoved = remember((channelId: number) => isMovedInto(sql, channelId))
  const heldBy = remember((moveId: number) => {
    const chain = arrivals(sql, [moveId])(moveId)
    return chain && heldAfter(chain, past)
  })
  return ({ id, moveId }, channelId) => {
    const held =
      (moveId !== null && isMoved(channelId) ? heldBy(moveId) : undefined) ?? past.periods(channelId)
    return held.some(({ since, until }) => id > since && id <= until)
  }
}

/**
 * Returns a function that says whether the user had received a message in the channel that it left by the first of these moves, which are
 * its last ones until then, newest first.
 */
export function receivedBeforeReader(
  sql: Sql,
  userId: number,
): (messageId: number, until: readonly MessageMove[]) => boolean {
  const past = pastOfUser(sql, userId)
  return (messageId, [leaving, ...earlier]) => {
    const arrival = sinceArrival(earlier)
    const held = arrival ? heldAfter(arrival, past) : past.periods(leaving!.prevChannelId!)
    return held.some(({ since, until }) => messageId > since && messageId <= until)
  }
}

/** Messages of a channel that came into it together: by the moves of `chain`, or, where it is undefined, sent there. */
export interface CameTogether {
  readonly chain: readonly MessageMove[] | undefined
  readonly messageIds: readonly number[]
}

/** Groups messages by their arrival. `messages`: of this channel. */
export function groupByArrival(
  sql: Sql,
  channelId: number,
  messages: readonly ReceivedMessage[],
): CameTogether[] {
  const lastMoves = new Set(messages.flatMap(({ moveId }) => moveId ?? []))
  const chainOf = arrivals(sql, lastMoves.size > 0 && isMovedInto(sql, channelId) ? [...lastMoves] : [])
  const groups = Map.groupBy(messages, ({ moveId }) => (moveId === null ? undefined : chainOf(moveId)))
  return [...groups].map(([chain, group]) => ({ chain, messageIds: group.map(({ id }) => id) }))
}

/** Returns the moves of messages up to the one by which each came into its channel, newest first, by the last. */
function arrivals(
  sql: Sql,
  lastMoveIds: readonly number[],
): (lastMoveId: number) => readonly MessageMove[] | undefined {
  const chains = new Map(
    Array.from(listMoveChains(sql, lastMoveIds), ([id, chain]) => [id, sinceArrival(chain)]),
  )
  return (lastMoveId) => chains.get(lastMoveId)
}

function pastOfUser(sql: Sql, userId: number): PastOfUser {
  return {
    periods: remember((channelId) => periodsIn(sql, userId, channelId)),
    subscribedAt: (channelId, eventId) => subscribedAtEvent(sql, channelId, userId, eventId),
  }
}

/** Whether the message is in one of the ranges, which must be those of its channel. */
export function isReceived(ranges: readonly ReceivedRange[], messageId: number): boolean {
  const ordered = inOrder(ranges)
  let [low, high] = [0, ordered.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ordered[middle]!.until >= messageId) high = middle
    else low = middle + 1
  }
  return low < ordered.length && ordered[low]!.since < messageId
}

/** The ordered form of each list of ranges, so that a list that is used for thousands of messages is sorted once. */
const ordered = new WeakMap<readonly ReceivedRange[], readonly IdRange[]>()

function inOrder(ranges: readonly ReceivedRange[]): readonly IdRange[] {
  const known = ordered.get(ranges)
  if (known) return known
  const inOrder = merged(ranges)
  ordered.set(ranges, inOrder)
  return inOrder
}

/** Returns those of the messages of one channel (ascending ids) that are in one of its ranges, of which there may be thousands. */
export function receivedAmong(ranges: readonly ReceivedRange[], messageIds: readonly number[]): number[] {
  const received: number[] = []
  let at = 0
  for (const { since, until } of inOrder(ranges)) {
    while (at < messageIds.length && messageIds[at]! <= since) at += 1
    for (; at < messageIds.length && messageIds[at]! <= until; at += 1) received.push(messageIds[at]!)
  }
  return received
}
