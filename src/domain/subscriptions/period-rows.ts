import { ENTRY_KEPT } from '../../core/budgets.ts'
import type { Sql } from '../../core/sql.ts'
import type { IndexedMessage } from '../messages/message-rows.ts'
import type { MessageMove } from '../messages/move/message-move.ts'
import { isMovedInto, listMoveChains, listMovesInto } from '../messages/move/message-move-rows.ts'
import { heldAfter, type IdRange, merged, type PastOfUser, sinceArrival, withMoves } from './moved-ranges.ts'

/** Was the user subscribed to the channel when the event `eventId` happened? */
export function subscribedAtEvent(sql: Sql, channelId: number, userId: number, eventId: number): boolean {
  interface Row {
    is_active: number
    since_event: number
  }
  const present = sql.kept<Row | undefined>(
    `since when ${userId} is in ${channelId}`,
    () => ({
      value: sql.first<Row>(
        `SELECT is_active, since_event FROM subscription WHERE channel_id = ? AND user_id = ?`,
        channelId,
        userId,
      ),
      size: ENTRY_KEPT,
    }),
    'channels',
  )
  if (!present) return false
  if (present.is_active === 1 && eventId > present.since_event) return true
  return (
    sql.first(
      `SELECT 1 FROM subscription_period
       WHERE user_id = ? AND channel_id = ? AND since_event < ? AND until_event >= ?`,
      userId,
      channelId,
      eventId,
      eventId,
    ) !== undefined
  )
}

/**
 * The event since which each of the users has been subscribed to the channel, of those who ever were: undefined for one who is
 * no longer. Reads no more rows than there are users, or twice the channel's own.
 */
export function subscribedSince(
  sql: Sql,
  channelId: number,
  userIds: readonly number[],
): Map<number, number | undefined> {
  interface Row {
    user_id: number
    is_active: number
    since_event: number
  }
  const columns = 'user_id, is_active, since_event'
  const few = userIds.length + 1
  const all = sql.all<Row>(`SELECT ${columns} FROM subscription WHERE channel_id = ? LIMIT ?`, channelId, few)
  const rows =
    all.length < few
      ? all
      : sql.all<Row>(
          `SELECT ${columns} FROM json_each(?) AS among
           CROSS JOIN subscription ON channel_id = ? AND user_id = among.value`,
          JSON.stringify(userIds),
          channelId,
        )
  return new Map(rows.map((row) => [row.user_id, row.is_active === 1 ? row.since_event : undefined]))
}

/** A range of message ids that a user received in a channel: above `since`, up to `until`. */
export interface ReceivedRange {
  readonly channelId: number
  readonly since: number
  readonly until: number
}

/**
 * All that a user has received, or what of one channel: derived, never stored per message (docs/decisions/design.md#no-row-for-each-recipient).
 * Ranges of a channel say nothing of messages that are not in it. Messages that were moved may have left thousands, where
 * others of the channel that the user has not received are among them: who knows the messages asks `receivedReader`.
 */
export function receivedRanges(sql: Sql, userId: number, channelId?: number): ReceivedRange[] {
  const periods = listPeriods(sql, userId, channelId)
  const channelIds = [...new Set(periods.map((period) => period.channelId))]
  const moves = channelIds.length === 0 ? [] : listMovesInto(sql, channelIds)
  if (moves.length === 0) return periods
  const chains = listMoveChains(
    sql,
    moves.map(({ id }) => id),
  )
  const past: PastOfUser = {
    ...pastOfUser(
      sql,
      userId,
      remember((id) => listPeriods(sql, userId, id)),
    ),
    chain: ({ id }) => chains.get(id) ?? [],
  }
  const periodsOf = Map.groupBy(periods, (period) => period.channelId)
  const movesInto = Map.groupBy(moves, (move) => move.channelId)
  return channelIds.flatMap((id) =>
    withMoves(periodsOf.get(id) ?? [], movesInto.get(id) ?? [], past).map((range) => ({
      channelId: id,
      since: range.since,
      until: range.until,
    })),
  )
}

/** The facts of a message itself that say how it came into its channel. */
export type ReceivedMessage = Pick<IndexedMessage, 'id' | 'moveId'>

/** Has the user received this message, which is in this channel? For who asks about single ones: other moves are not looked at. */
export function receivedReader(
  sql: Sql,
  userId: number,
): (message: ReceivedMessage, channelId: number) => boolean {
  const periods = remember((channelId: number) => listPeriods(sql, userId, channelId))
  const past = pastOfUser(sql, userId, periods)
  const isMoved = remember((channelId: number) => isMovedInto(sql, channelId))
  const heldBy = remember((moveId: number) => {
    const chain = arrivals(sql, [moveId])(moveId)
    return chain && heldAfter(chain, past)
  })
  return ({ id, moveId }, channelId) => {
    const held = (moveId !== null && isMoved(channelId) ? heldBy(moveId) : undefined) ?? periods(channelId)
    return held.some(({ since, until }) => id > since && id <= until)
  }
}

/** Messages of a channel that came into it together: by the moves of `chain`, or, where it is undefined, sent there. */
export interface CameTogether {
  readonly chain: readonly MessageMove[] | undefined
  readonly messageIds: readonly number[]
}

/** `messages`: of this channel. */
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

/** Reads, for many users one after the other, whether each has received any of these messages of the channel. */
export function receivedAnyReader(
  sql: Sql,
  channelId: number,
  groups: readonly CameTogether[],
): (userId: number) => boolean {
  return (userId) => {
    const periods = remember((id: number) => listPeriods(sql, userId, id))
    const past = pastOfUser(sql, userId, periods)
    return groups.some(({ chain, messageIds }) => {
      const held = chain ? heldAfter(chain, past) : periods(channelId)
      return messageIds.some((id) => held.some(({ since, until }) => id > since && id <= until))
    })
  }
}

/** The moves of messages up to the one that brought each into its channel, newest first, by the last. */
function arrivals(
  sql: Sql,
  lastMoveIds: readonly number[],
): (lastMoveId: number) => readonly MessageMove[] | undefined {
  const chains = new Map(
    Array.from(listMoveChains(sql, lastMoveIds), ([id, chain]) => [id, sinceArrival(chain)]),
  )
  return (lastMoveId) => chains.get(lastMoveId)
}

function pastOfUser(
  sql: Sql,
  userId: number,
  periods: PastOfUser['periods'],
): Pick<PastOfUser, 'periods' | 'subscribedAt'> {
  return {
    periods,
    subscribedAt: (channelId, eventId) => subscribedAtEvent(sql, channelId, userId, eventId),
  }
}

function remember<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key))
    return known.get(key)!
  }
}

/** The ranges of messages that the user was subscribed for, whether the messages were sent or moved there. */
export function listPeriods(sql: Sql, userId: number, channelId?: number): ReceivedRange[] {
  const filter = channelId === undefined ? '' : 'AND channel_id = ?3'
  const params = channelId === undefined ? [] : [channelId]
  return sql.all<ReceivedRange & Record<string, number>>(
    `SELECT channel_id AS channelId, since_message AS since, ?2 AS until FROM subscription
       WHERE user_id = ?1 AND is_active = 1 ${filter}
     UNION ALL
     SELECT channel_id, since_message, until_message FROM subscription_period WHERE user_id = ?1 ${filter}`,
    userId,
    Number.MAX_SAFE_INTEGER,
    ...params,
  )
}

/** Is the message in one of the ranges? They must be those of its channel. */
export function isReceived(ranges: readonly ReceivedRange[], messageId: number): boolean {
  if (ranges.length <= FEW_RANGES)
    return ranges.some(({ since, until }) => messageId > since && messageId <= until)
  const ordered = inOrder(ranges)
  let [low, high] = [0, ordered.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ordered[middle]!.until >= messageId) high = middle
    else low = middle + 1
  }
  return low < ordered.length && ordered[low]!.since < messageId
}

const FEW_RANGES = 8

/** The ordered form of each list of ranges: a list that is asked about thousands of messages is put in order once. */
const ordered = new WeakMap<readonly ReceivedRange[], readonly IdRange[]>()

function inOrder(ranges: readonly ReceivedRange[]): readonly IdRange[] {
  const known = ordered.get(ranges)
  if (known) return known
  const inOrder = merged(ranges)
  ordered.set(ranges, inOrder)
  return inOrder
}

/** The messages, of these of one channel (ascending ids), that are in one of its ranges, of which there may be thousands. */
export function receivedAmong(ranges: readonly ReceivedRange[], messageIds: readonly number[]): number[] {
  const received: number[] = []
  let at = 0
  for (const { since, until } of inOrder(ranges)) {
    while (at < messageIds.length && messageIds[at]! <= since) at += 1
    for (; at < messageIds.length && messageIds[at]! <= until; at += 1) received.push(messageIds[at]!)
  }
  return received
}
