import type { Sql } from '../../core/sql.ts'

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
