import { IdSet } from '../../core/id-set.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'

/** Whether the user has left channels more often than this. */
export function hasEndedMoreThan(sql: Sql, userId: number, limit: number): boolean {
  return sql.finds(`SELECT 1 FROM subscription_period WHERE user_id = ? LIMIT 1 OFFSET ?`, userId, limit)
}

/** Whether the user was subscribed to the channel at the event `eventId`. */
export function subscribedAtEvent(sql: Sql, channelId: number, userId: number, eventId: number): boolean {
  interface Row {
    is_active: number
    since_event: number
  }
  const present = sql.kept(`since when ${userId} is in ${channelId}`, () =>
    sql.about('subscription', channelId, () =>
      sql.first<Row>(
        `SELECT is_active, since_event FROM subscription WHERE channel_id = ? AND user_id = ?`,
        channelId,
        userId,
      ),
    ),
  )
  if (!present) return false
  if (present.is_active === 1 && eventId > present.since_event) return true
  return sql.finds(
    `SELECT 1 FROM subscription_period
       WHERE user_id = ? AND channel_id = ? AND since_event < ? AND until_event >= ?`,
    userId,
    channelId,
    eventId,
    eventId,
  )
}

/** Returns the present subscribers of a channel, closed accounts included, who have been subscribed since before a message, or an event. */
export function presentSubscribersSince(
  sql: Sql,
  channelId: number,
  { message = Number.MAX_SAFE_INTEGER, event = Number.MAX_SAFE_INTEGER },
): IdSet {
  // In one row, since there may be ten thousand.
  return IdSet.of(
    sql.list(
      `SELECT json_group_array(user_id) AS ids FROM subscription
     WHERE channel_id = ? AND is_active = 1 AND since_message < ? AND since_event < ?`,
      channelId,
      message,
      event,
    ),
  )
}

/** The event since which each user has been subscribed to a channel, or a user to each channel; undefined for former subscriptions. */
export type SubscribedSince = ReadonlyMap<number, number | undefined>

interface SinceRow {
  user_id: number
  is_active: number
  since_event: number
}

const SINCE = 'user_id, is_active, since_event'

/** Returns all present and former subscribers of the channel, or null if they are more than `limit`; keeps either. */
export function allSubscribedSince(sql: Sql, channelId: number, limit: number): SubscribedSince | null {
  return sql.kept(`since when all are in ${channelId}, up to ${limit}`, () => {
    const statement = `SELECT ${SINCE} FROM subscription WHERE channel_id = ? LIMIT ?`
    const rows = sql.about('subscription', channelId, () =>
      sql.all<SinceRow>(statement, channelId, limit + 1),
    )
    return rows.length > limit ? null : sinceByUser(rows)
  })
}

/** Returns the present and former subscribers of the channel among these users. */
export function subscribedSince(sql: Sql, channelId: number, userIds: readonly number[]): SubscribedSince {
  return sinceByUser(
    sql.all<SinceRow>(
      `SELECT ${SINCE} FROM json_each(?) AS among
       CROSS JOIN subscription ON channel_id = ? AND user_id = among.value`,
      userIds,
      channelId,
    ),
  )
}

/** Returns those of the channels in which the user is or was. */
export function subscriptionsSince(sql: Sql, userId: number, channelIds: readonly number[]): SubscribedSince {
  // In one row, since there may be a thousand.
  const found = sql.list<[number, number | null]>(
    `SELECT json_group_array(json_array(channel_id, CASE is_active WHEN 1 THEN since_event END)) AS found
     FROM json_each(?) AS among CROSS JOIN subscription ON channel_id = among.value AND user_id = ?`,
    channelIds,
    userId,
  )
  return new Map(found.map(([channelId, since]) => [channelId, since ?? undefined]))
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

/** Lists the ranges of messages for which the user was subscribed, whether the messages were sent or moved there. */
export function listPeriods(sql: Sql, userId: number): readonly ReceivedRange[] {
  return sql.kept(`periods of ${userId}`, () => {
    // In one row, since there may be thousands.
    const { present, past } = sql.first<Periods>(
      `SELECT
         (SELECT json_group_array(json_array(channel_id, since_message, NULL)) FROM subscription
          WHERE user_id = ?1 AND is_active = 1) AS present,
         (SELECT json_group_array(json_array(channel_id, since_message, until_message)) FROM subscription_period
          WHERE user_id = ?1) AS past`,
      userId,
    )!
    return periodsOf(present, past)
  })
}

/** Returns those of the ranges that are of one channel. */
export function periodsIn(sql: Sql, userId: number, channelId: number): readonly ReceivedRange[] {
  return sql.kept(`periods of ${userId} in ${channelId}`, () => listPeriodsAmong(sql, userId, [channelId]))
}

export function listPeriodsAmong(sql: Sql, userId: number, channelIds: readonly number[]): ReceivedRange[] {
  const { present, past } = sql.first<Periods>(
    `SELECT
       (SELECT json_group_array(json_array(channel_id, since_message, NULL))
        FROM json_each(?2) CROSS JOIN subscription ON channel_id = value AND user_id = ?1 WHERE +is_active = 1) AS present,
       (SELECT json_group_array(json_array(channel_id, since_message, until_message))
        FROM json_each(?2) CROSS JOIN subscription_period ON user_id = ?1 AND channel_id = value) AS past`,
    userId,
    channelIds,
  )!
  return periodsOf(present, past)
}

type Periods = Record<
  'present' | 'past',
  JsonText<[channelId: number, since: number, until: number | null][]>
>

function periodsOf(present: Periods['present'], past: Periods['past']): ReceivedRange[] {
  return [...fromJson(present), ...fromJson(past)].map(([channelId, since, until]) => ({
    channelId,
    since,
    until: until ?? Number.MAX_SAFE_INTEGER,
  }))
}
