import { ENTRY_KEPT } from '../../core/budgets.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import { SUBSCRIPTION_KEPT, type Subscription, subscriptionOf } from './subscription-rows.ts'

/** Lists the user's subscriptions, past ones included, which still have their settings. */
export function listSubscriptionsOfUser(sql: Sql, userId: number): readonly Subscription[] {
  return sql.kept(
    `subscriptions of ${userId}`,
    () => {
      const all = readSubscriptions(sql, userId)
      return { value: all, size: ENTRY_KEPT + all.length * SUBSCRIPTION_KEPT }
    },
    'channels',
  )
}

/**
 * Reads them in one row of JSON, since thousands of rows of their own take three times as long: at most as many as there may be
 * channels, 10,000, of some 90 characters each.
 */
function readSubscriptions(sql: Sql, userId: number): Subscription[] {
  const { found } = sql.first<{ found: JsonText<SubscriptionColumns[]> }>(
    `SELECT json_group_array(json_array(channel_id, is_active, since_event, since_message, color, is_muted, pin_to_top,
       desktop_notifications, audible_notifications, push_notifications, email_notifications, wildcard_mentions_notify)) AS found
     FROM subscription WHERE user_id = ?`,
    userId,
  )!
  return fromJson(found).map(
    ([
      channel_id,
      is_active,
      since_event,
      since_message,
      color,
      is_muted,
      pin_to_top,
      desktop,
      audible,
      push,
      email,
      wildcards,
    ]) =>
      subscriptionOf({
        user_id: userId,
        channel_id,
        is_active,
        since_event,
        since_message,
        color,
        is_muted,
        pin_to_top,
        desktop_notifications: desktop,
        audible_notifications: audible,
        push_notifications: push,
        email_notifications: email,
        wildcard_mentions_notify: wildcards,
      }),
  )
}

type SubscriptionColumns = [
  channel_id: number,
  is_active: number,
  since_event: number,
  since_message: number,
  color: string,
  is_muted: number,
  pin_to_top: number,
  desktop_notifications: number | null,
  audible_notifications: number | null,
  push_notifications: number | null,
  email_notifications: number | null,
  wildcard_mentions_notify: number | null,
]
