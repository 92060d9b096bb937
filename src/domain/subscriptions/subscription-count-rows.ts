import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import { countSubscribers } from './subscription-rows.ts'

/** Counts the subscriptions to these channels, past ones included, up to `limit`. */
export function countSubscriptionsOf(sql: Sql, channelIds: readonly number[], limit: number): number {
  const { count } = sql.first<{ count: number }>(
    `SELECT count(*) AS count FROM (
       SELECT 1 FROM json_each(?) c CROSS JOIN subscription s ON s.channel_id = c.value LIMIT ?)`,
    JSON.stringify(channelIds),
    limit,
  )!
  return count
}

/** Counts the present subscriptions of an account, up to `limit`. */
export function countChannelsOf(sql: Sql, userId: number, limit: number): number {
  const { count } = sql.first<{ count: number }>(
    `SELECT count(*) AS count FROM (
       SELECT 1 FROM subscription WHERE user_id = ? AND is_active = 1 LIMIT ?)`,
    userId,
    limit,
  )!
  return count
}

/** Counts the present active subscribers of every channel that has any: without an account's row for each subscription. */
export function countSubscribersByChannel(sql: Sql): Map<number, number> {
  const rows = sql.all<{ id: number; count: number }>(
    `SELECT channel_id AS id, count(*) AS count FROM subscription
     WHERE is_active = 1 AND user_id NOT IN (SELECT id FROM user WHERE is_active = 0) GROUP BY channel_id`,
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Counts the same of some channels. `closed`: all closed accounts. */
export function countSubscribersAmong(
  sql: Sql,
  channelIds: readonly number[],
  closed: readonly number[],
): Map<number, number> {
  const rows = sql.all<{ id: number; count: number }>(
    `SELECT s.channel_id AS id, count(*) AS count FROM json_each(?) c CROSS JOIN subscription s ON s.channel_id = c.value
     WHERE s.is_active = 1 AND s.user_id NOT IN (SELECT value FROM json_each(?)) GROUP BY s.channel_id`,
    JSON.stringify(channelIds),
    JSON.stringify(closed),
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Number of channels whose subscribers are counted one by one, which reads fewer rows. */
const FEW_CHANNELS = 3

/** Counts the active subscribers of one channel after the other, up to `limit` of each, until they are `limit` together. */
export function countSubscribersInTurn(sql: Sql, channelIds: readonly number[], limit: number): number[] {
  if (channelIds.length <= FEW_CHANNELS) return channelIds.map((id) => countSubscribers(sql, id, limit))
  const { totals } = sql.first<{ totals: JsonText<number[]> }>(
    `WITH RECURSIVE counted (at, total) AS (
       SELECT 0, 0
       UNION ALL
       SELECT at + 1, total + (SELECT count(*) FROM (
         SELECT 1 FROM subscription s JOIN user u ON u.id = s.user_id
         WHERE s.channel_id = json_extract(?1, '$[' || at || ']') AND s.is_active = 1 AND u.is_active = 1 LIMIT ?2))
       FROM counted WHERE at < json_array_length(?1) AND total < ?2)
     SELECT json_group_array(total) AS totals FROM counted`,
    JSON.stringify(channelIds),
    limit,
  )!
  const sums = fromJson(totals)
  return sums.slice(1).map((sum, at) => sum - sums[at]!)
}
