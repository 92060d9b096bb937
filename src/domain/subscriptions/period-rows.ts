import { ENTRY_KEPT } from '../../core/budgets.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import { NotPreparedError, type RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { IndexedMessage } from '../messages/message-rows.ts'
import type { MessageMove, MoveIntoChannel } from '../messages/move/message-move.ts'
import { isMovedInto, listMoveChains, listMovesInto } from '../messages/move/message-move-rows.ts'
import { heldAfter, type IdRange, merged, type PastOfUser, sinceArrival, withMoves } from './moved-ranges.ts'
import { isSubscribed } from './subscription-rows.ts'

/** Whether the user has left channels more often than this. */
export function hasEndedMoreThan(sql: Sql, userId: number, limit: number): boolean {
  return (
    sql.first(`SELECT 1 FROM subscription_period WHERE user_id = ? LIMIT 1 OFFSET ?`, userId, limit) !==
    undefined
  )
}

/** Whether the user was subscribed to the channel at the event `eventId`. */
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
 * Returns the present subscribers of a channel, closed accounts included, who have been subscribed since before a message, or an
 * event.
 */
export function presentSubscribersSince(
  sql: Sql,
  channelId: number,
  { message = Number.MAX_SAFE_INTEGER, event = Number.MAX_SAFE_INTEGER },
): ReadonlySet<number> {
  // In one row, since there may be ten thousand.
  const { ids } = sql.first<{ ids: JsonText<number[]> }>(
    `SELECT json_group_array(user_id) AS ids FROM subscription
     WHERE channel_id = ? AND is_active = 1 AND since_message < ? AND since_event < ?`,
    channelId,
    message,
    event,
  )!
  return new Set(fromJson(ids))
}

/** Returns the present subscribers of a channel, closed accounts included, whose period began at this event or later. */
export function presentSubscribersFrom(sql: Sql, channelId: number, event: number): ReadonlySet<number> {
  // In one row, since there may be ten thousand.
  const { ids } = sql.first<{ ids: JsonText<number[]> }>(
    `SELECT json_group_array(user_id) AS ids FROM subscription
     WHERE channel_id = ? AND is_active = 1 AND since_event >= ?`,
    channelId,
    event,
  )!
  return new Set(fromJson(ids))
}

/**
 * The event since which each user has been subscribed to a channel, or a user to each channel; undefined for former subscriptions.
 */
export type SubscribedSince = ReadonlyMap<number, number | undefined>

interface SinceRow {
  user_id: number
  is_active: number
  since_event: number
}

const SINCE = 'user_id, is_active, since_event'

/** Number of characters that a kept subscriber counts for. */
const SUBSCRIBER_KEPT = 20

/** Returns all present and former subscribers of the channel, or null if they are more than `limit`; keeps either. */
export function allSubscribedSince(sql: Sql, channelId: number, limit: number): SubscribedSince | null {
  return sql.kept<SubscribedSince | null>(
    `since when all are in ${channelId}, up to ${limit}`,
    () => {
      const rows = sql.all<SinceRow>(
        `SELECT ${SINCE} FROM subscription WHERE channel_id = ? LIMIT ?`,
        channelId,
        limit + 1,
      )
      return {
        value: rows.length > limit ? null : sinceByUser(rows),
        size: ENTRY_KEPT + (rows.length > limit ? 0 : rows.length * SUBSCRIBER_KEPT),
      }
    },
    'channels',
  )
}

/** Returns the present and former subscribers of the channel among these users. */
export function subscribedSince(sql: Sql, channelId: number, userIds: readonly number[]): SubscribedSince {
  return sinceByUser(
    sql.all<SinceRow>(
      `SELECT ${SINCE} FROM json_each(?) AS among
       CROSS JOIN subscription ON channel_id = ? AND user_id = among.value`,
      JSON.stringify(userIds),
      channelId,
    ),
  )
}

/** Returns those of the channels in which the user is or was. */
export function subscriptionsSince(sql: Sql, userId: number, channelIds: readonly number[]): SubscribedSince {
  // In one row, since there may be a thousand.
  const { found } = sql.first<{ found: JsonText<[number, number | null][]> }>(
    `SELECT json_group_array(json_array(channel_id, CASE is_active WHEN 1 THEN since_event END)) AS found
     FROM json_each(?) AS among CROSS JOIN subscription ON channel_id = among.value AND user_id = ?`,
    JSON.stringify(channelIds),
    userId,
  )!
  return new Map(fromJson(found).map(([channelId, since]) => [channelId, since ?? undefined]))
}

function sinceByUser(rows: readonly SinceRow[]): SubscribedSince {
  return new Map(rows.map((row) => [row.user_id, row.is_active === 1 ? row.since_event : undefined]))
}

/** A range of message ids that a user received in a channel: above `since`, up to `until`. */
export interface ReceivedRange {
  readonly channelId: number
  readonly since: number
  readonly until: number
}

/**
 * Returns everything that a user has received, or has received in one channel: derived, never stored for each
 * message (docs/decisions/design.md#no-row-for-each-recipient). Ranges of a channel say nothing about
 * messages outside it. Moved messages may lead to thousands of ranges, where other messages of the channel
 * that the user has not received are among them: callers that know the messages use `receivedReader`.
 */
export function receivedRanges(sql: Sql, userId: number, channelId?: number): readonly ReceivedRange[] {
  return rangesOf(sql, userId, listPeriods(sql, userId, channelId))
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
  const periods =
    channelIds.length > SINGLE_CHANNELS
      ? readPeriodsAmong(sql, userId, channelIds)
      : channelIds.flatMap((id) => listPeriods(sql, userId, id))
  return rangesOf(sql, userId, periods, moves)
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
  const past = pastOfUser(
    sql,
    userId,
    remember((id) => listPeriods(sql, userId, id)),
  )
  const held = ({ id }: MessageMove) => heldAfter(chains.get(id)!, past)
  const periodsOf = Map.groupBy(periods, (period) => period.channelId)
  const movesInto = Map.groupBy(moves, (move) => move.channelId)
  return channelIds.flatMap((id) => {
    const own = periodsOf.get(id) ?? []
    const into = movesInto.get(id)
    // Of thousands of channels hardly any got messages by a move.
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
  { periods }: Pick<ChannelsOfUser, 'periods'> = channelsOfUser(sql, userId),
): (message: ReceivedMessage, channelId: number) => boolean {
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

/**
 * Messages of a channel that came into it together: by the moves of `chain`, or, where it is undefined, sent
 * there.
 */
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

/**
 * Returns a function that says, for one user after the other, whether they have received any of these
 * messages of the channel.
 */
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

/**
 * Returns the moves of messages up to the one by which each came into its channel, newest first, by the last.
 */
function arrivals(
  sql: Sql,
  lastMoveIds: readonly number[],
): (lastMoveId: number) => readonly MessageMove[] | undefined {
  const chains = new Map(
    Array.from(listMoveChains(sql, lastMoveIds), ([id, chain]) => [id, sinceArrival(chain)]),
  )
  return (lastMoveId) => chains.get(lastMoveId)
}

function pastOfUser(sql: Sql, userId: number, periods: PastOfUser['periods']): PastOfUser {
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

/**
 * Lists the ranges of messages for which the user was subscribed, whether the messages were sent or moved
 * there.
 */
export function listPeriods(sql: Sql, userId: number, channelId?: number): readonly ReceivedRange[] {
  return sql.kept(
    channelId === undefined ? `periods of ${userId}` : `periods of ${userId} in ${channelId}`,
    () => {
      const periods = readPeriods(sql, userId, channelId)
      return { value: periods, size: ENTRY_KEPT + periods.length * PERIOD_KEPT }
    },
    'channels',
  )
}

/** Number of channels from which on the periods of somebody are read before the turn that needs them: those of 5,000 take 10 ms. */
const MANY_CHANNELS = 1_000

/** @throws NotPreparedError where the periods of somebody in many channels have not been read, and the change can be put off. */
export function requirePeriodsRead(
  { sql, mayBePutOff }: Pick<RealmView, 'sql' | 'mayBePutOff'>,
  userId: number,
): void {
  if (!mayBePutOff || sql.findKept(`periods of ${userId}`, 'channels') !== undefined) return
  const isInMany = sql.first(
    `SELECT 1 FROM subscription WHERE user_id = ? LIMIT 1 OFFSET ?`,
    userId,
    MANY_CHANNELS,
  )
  if (!isInMany) return
  throw new NotPreparedError(async (pause) => {
    await pause()
    listPeriods(sql, userId)
    await pause()
  })
}

/** Characters of a period, as `Sql.kept` counts them. */
const PERIOD_KEPT = 60

function readPeriods(sql: Sql, userId: number, channelId?: number): ReceivedRange[] {
  const until = Number.MAX_SAFE_INTEGER
  if (channelId === undefined) return [...presentPeriods(sql, userId, until), ...pastPeriods(sql, userId)]
  return sql.all<ReceivedRange & Record<string, number>>(
    `SELECT channel_id AS channelId, since_message AS since, ?2 AS until FROM subscription
       WHERE user_id = ?1 AND is_active = 1 AND channel_id = ?3
     UNION ALL
     SELECT channel_id, since_message, until_message FROM subscription_period WHERE user_id = ?1 AND channel_id = ?3`,
    userId,
    until,
    channelId,
  )
}

function presentPeriods(sql: Sql, userId: number, until: number): ReceivedRange[] {
  // In one row, since there may be thousands.
  const { present } = sql.first<{ present: JsonText<[channelId: number, since: number][]> }>(
    `SELECT json_group_array(json_array(channel_id, since_message)) AS present FROM subscription
     WHERE user_id = ? AND is_active = 1`,
    userId,
  )!
  return fromJson(present).map(([channelId, since]) => ({ channelId, since, until }))
}

function pastPeriods(sql: Sql, userId: number): ReceivedRange[] {
  return sql.all<ReceivedRange & Record<string, number>>(
    `SELECT channel_id AS channelId, since_message AS since, until_message AS until FROM subscription_period
     WHERE user_id = ?`,
    userId,
  )
}

/** What a user has and had to do with channels, for callers that ask about many. */
export interface ChannelsOfUser {
  /** Returns what `listPeriods` does for one channel. */
  periods(channelId: number): readonly ReceivedRange[]
  /** Whether the user is subscribed to the channel now. */
  isSubscribed(channelId: number): boolean
}

/** Number of channels that are looked up one by one, before many are read at a time. */
const SINGLE_CHANNELS = 8
/** Number of ids of channels among which a user's periods are read together. */
const CHANNELS_AT_ONCE = 256

/**
 * Reads a user's periods of one channel after the other: a walk or a page may meet thousands, and two look-ups for each would take most
 * of its time.
 */
export function channelsOfUser(sql: Sql, userId: number): ChannelsOfUser {
  const asked = new Set<number>()
  /** Returns the periods of the channel and its neighbours; undefined while they are not worth reading. */
  const neighboursOf = (channelId: number) => {
    const first = channelId - (channelId % CHANNELS_AT_ONCE)
    if (asked.size <= SINGLE_CHANNELS) asked.add(channelId)
    return asked.size > SINGLE_CHANNELS
      ? periodsAmong(sql, userId, first)
      : sql.findKept<PeriodsByChannel>(neighboursKey(userId, first), 'channels')
  }
  return {
    periods: remember((channelId) => {
      const neighbours = neighboursOf(channelId)
      return neighbours ? (neighbours.get(channelId) ?? []) : listPeriods(sql, userId, channelId)
    }),
    isSubscribed: remember((channelId) => {
      const periods = neighboursOf(channelId)
      if (!periods) return isSubscribed(sql, channelId, userId)
      return (periods.get(channelId) ?? []).some(({ until }) => until === Number.MAX_SAFE_INTEGER)
    }),
  }
}

type PeriodsByChannel = ReadonlyMap<number, readonly ReceivedRange[]>

function neighboursKey(userId: number, first: number): string {
  return `periods of ${userId} from ${first}`
}

/** Returns the periods of a user in the channels from this id on, as many as are read together; keeps them. */
function periodsAmong(sql: Sql, userId: number, first: number): PeriodsByChannel {
  return sql.kept(
    neighboursKey(userId, first),
    () => {
      // In one row, since there may be thousands.
      const { present, past } = sql.first<Record<'present' | 'past', JsonText<PeriodValues[]>>>(
        `SELECT
           (SELECT json_group_array(json_array(channel_id, since_message, NULL)) FROM subscription
            WHERE user_id = ?1 AND is_active = 1 AND channel_id BETWEEN ?2 AND ?3) AS present,
           (SELECT json_group_array(json_array(channel_id, since_message, until_message)) FROM subscription_period
            WHERE user_id = ?1 AND channel_id BETWEEN ?2 AND ?3) AS past`,
        userId,
        first,
        first + CHANNELS_AT_ONCE - 1,
      )!
      const periods = [...fromJson(present), ...fromJson(past)].map(periodOf)
      return {
        value: Map.groupBy(periods, ({ channelId }) => channelId),
        size: ENTRY_KEPT + periods.length * PERIOD_KEPT,
      }
    },
    'channels',
  )
}

/** Returns the periods of a user in these channels, read in one row. */
function readPeriodsAmong(sql: Sql, userId: number, channelIds: readonly number[]): ReceivedRange[] {
  const { present, past } = sql.first<Record<'present' | 'past', JsonText<PeriodValues[]>>>(
    `SELECT
       (SELECT json_group_array(json_array(channel_id, since_message, NULL))
        FROM json_each(?2) CROSS JOIN subscription ON channel_id = value AND user_id = ?1 WHERE +is_active = 1) AS present,
       (SELECT json_group_array(json_array(channel_id, since_message, until_message))
        FROM json_each(?2) CROSS JOIN subscription_period ON user_id = ?1 AND channel_id = value) AS past`,
    userId,
    JSON.stringify(channelIds),
  )!
  return [...fromJson(present), ...fromJson(past)].map(periodOf)
}

type PeriodValues = [channelId: number, since: number, until: number | null]

function periodOf([channelId, since, until]: PeriodValues): ReceivedRange {
  return { channelId, since, until: until ?? Number.MAX_SAFE_INTEGER }
}

/** Whether the message is in one of the ranges, which must be those of its channel. */
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

/**
 * The ordered form of each list of ranges, so that a list that is used for thousands of messages is sorted
 * once.
 */
const ordered = new WeakMap<readonly ReceivedRange[], readonly IdRange[]>()

function inOrder(ranges: readonly ReceivedRange[]): readonly IdRange[] {
  const known = ordered.get(ranges)
  if (known) return known
  const inOrder = merged(ranges)
  ordered.set(ranges, inOrder)
  return inOrder
}

/**
 * Returns those of the messages of one channel (ascending ids) that are in one of its ranges, of which there
 * may be thousands.
 */
export function receivedAmong(ranges: readonly ReceivedRange[], messageIds: readonly number[]): number[] {
  const received: number[] = []
  let at = 0
  for (const { since, until } of inOrder(ranges)) {
    while (at < messageIds.length && messageIds[at]! <= since) at += 1
    for (; at < messageIds.length && messageIds[at]! <= until; at += 1) received.push(messageIds[at]!)
  }
  return received
}
