import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import {
  SUBSCRIPTION_AS_JSON,
  type Subscription,
  type SubscriptionValues,
  subscriptionOf,
} from './subscription-of-row.ts'

/** Lists the user's subscriptions, past ones included, which still have their settings. */
export function listSubscriptionsOfUser(sql: Sql, userId: number): readonly Subscription[] {
  return sql.kept(`subscriptions of ${userId}`, () => readSubscriptions(sql, userId))
}

/** Returns the same by channel id. */
export function subscriptionsByChannel(sql: Sql, userId: number): ReadonlyMap<number, Subscription> {
  return sql.kept(`subscriptions of ${userId} by channel`, () => {
    const all = listSubscriptionsOfUser(sql, userId)
    return new Map(all.map((one) => [one.channelId, one]))
  })
}

/**
 * Reads them in one row of JSON, since thousands of rows of their own take three times as long: at most as many as there may be
 * channels, 10,000, of some 90 characters each.
 */
function readSubscriptions(sql: Sql, userId: number): Subscription[] {
  const { found } = sql.first<{ found: JsonText<SubscriptionValues[]> }>(
    `SELECT json_group_array(${SUBSCRIPTION_AS_JSON}) AS found FROM subscription WHERE user_id = ?`,
    userId,
  )!
  return fromJson(found).map(subscriptionOf)
}
