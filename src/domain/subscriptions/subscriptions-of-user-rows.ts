import { ENTRY_KEPT } from '../../core/budgets.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import { SUBSCRIPTION_KEPT, type Subscription, subscriptionOf } from './subscription-rows.ts'

/** Lists the user's subscriptions, past ones included, which still have their settings. */
export function listSubscriptionsOfUser(sql: Sql, userId: number): readonly Subscription[] {
  return sql.kept(
    `subscriptions of ${userId}`,
    () => {
      const all: Subscription[] = []
      for (let last: Subscription | undefined; ; last = all.at(-1)) {
        const next = subscriptionsAfter(sql, userId, last)
        all.push(...next)
        if (next.length < SUBSCRIPTIONS_IN_ONE_ROW) {
          return { value: all, size: ENTRY_KEPT + all.length * SUBSCRIPTION_KEPT }
        }
      }
    },
    'channels',
  )
}

/** Subscriptions in one row of JSON, of some 60 characters each: as rows of their own, thousands take three times as long. */
const SUBSCRIPTIONS_IN_ONE_ROW = 2_000

function subscriptionsAfter(sql: Sql, userId: number, last: Subscription | undefined): Subscription[] {
  const { found } = sql.first<{ found: JsonText<SubscriptionColumns[]> }>(
    `SELECT json_group_array(json_array(channel_id, is_active, since_event, since_message, color, is_muted, pin_to_top,
       desktop_notifications, audible_notifications, push_notifications, email_notifications, wildcard_mentions_notify)) AS found
     FROM (SELECT * FROM subscription WHERE user_id = ? AND (is_active, channel_id) > (?, ?)
       ORDER BY is_active, channel_id LIMIT ${SUBSCRIPTIONS_IN_ONE_ROW})`,
    userId,
    last ? Number(last.isActive) : -1,
    last?.channelId ?? 0,
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
