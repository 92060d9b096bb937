import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import { countSubscriptionsOf } from './subscription-count-rows.ts'

/**
 * Returns guests among the present subscribers, who see a public channel only by being in it. Reads a row for
 * each guest or for each subscriber, whichever are fewer.
 */
export function guestSubscriberIds(sql: Sql, channelId: number): number[] {
  const guests = guestIds(sql)
  if (guests.length === 0) return []
  const hasFewer = countSubscriptionsOf(sql, [channelId], guests.length) < guests.length
  // The plus keeps the guests out of the search: it would look for each of them in the channel.
  const source = hasFewer
    ? `subscription s WHERE s.channel_id = ?1 AND +s.user_id IN (SELECT value FROM json_each(?2))`
    : `json_each(?2) g CROSS JOIN subscription s ON s.channel_id = ?1 AND s.user_id = g.value WHERE 1`
  const { ids } = sql.first<{ ids: JsonText<number[]> }>(
    `SELECT json_group_array(s.user_id) AS ids FROM ${source} AND s.is_active = 1`,
    channelId,
    JSON.stringify(guests),
  )!
  return fromJson(ids).sort((a, b) => a - b)
}

/**
 * Number of subscribers of some channels up to which each is read; above it the channels of each guest are.
 */
const FEW_SUBSCRIBERS = 10_000

/**
 * Returns guests among the present subscribers of any of these channels: user ids, ascending, by channel id.
 */
export function guestSubscribersOf(sql: Sql, channelIds: readonly number[]): Map<number, number[]> {
  const guests = JSON.stringify(guestIds(sql))
  const channels = JSON.stringify(channelIds)
  const count = countSubscriptionsOf(sql, channelIds, FEW_SUBSCRIBERS)
  // The plus keeps the channels out of the search: it would look for each guest in each of them.
  const source =
    count < FEW_SUBSCRIBERS
      ? `json_each(?1) c CROSS JOIN subscription s ON s.channel_id = c.value
         WHERE +s.user_id IN (SELECT value FROM json_each(?2))`
      : `json_each(?2) g CROSS JOIN subscription s ON s.user_id = g.value
         WHERE +s.channel_id IN (SELECT value FROM json_each(?1))`
  const rows = sql.all<{ channel_id: number; guests: JsonText<number[]> }>(
    `SELECT s.channel_id, json_group_array(s.user_id) AS guests FROM ${source} AND s.is_active = 1
     GROUP BY s.channel_id`,
    channels,
    guests,
  )
  return new Map(rows.map(({ channel_id, guests }) => [channel_id, fromJson(guests).sort((a, b) => a - b)]))
}

/** Returns the same by guest: channel ids, ascending. For more channels than there are guests. */
export function guestsByChannels(sql: Sql, channelIds: readonly number[]): Map<number, number[]> {
  const rows = sql.all<{ user_id: number; channels: JsonText<number[]> }>(
    // The plus keeps the channels out of the search: it would look for each guest in each of them.
    `SELECT s.user_id, json_group_array(s.channel_id) AS channels
     FROM json_each(?) g CROSS JOIN subscription s ON s.user_id = g.value
     WHERE +s.channel_id IN (SELECT value FROM json_each(?)) AND s.is_active = 1 GROUP BY s.user_id`,
    JSON.stringify(guestIds(sql)),
    JSON.stringify(channelIds),
  )
  return new Map(rows.map(({ user_id, channels }) => [user_id, fromJson(channels).sort((a, b) => a - b)]))
}

/** Returns all active guests. */
export function guestIds(sql: Sql): readonly number[] {
  return sql.kept('ids of guests', () => {
    const { ids } = sql.first<{ ids: JsonText<number[]> }>(
      `SELECT json_group_array(id) AS ids FROM user WHERE role = 600 AND is_active = 1`,
    )!
    return fromJson(ids)
  })
}
