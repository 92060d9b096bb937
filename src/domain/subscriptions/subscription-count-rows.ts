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
