import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'

/** Events that an outgoing webhook may be subscribed to, beside what is written to it. */
export const WEBHOOK_EVENTS = ['message', 'reaction', 'subscription', 'new_person'] as const
export type WebhookEventName = (typeof WEBHOOK_EVENTS)[number]

/** One kind of event, in some channels or in all that the bot may read. */
export interface EventSubscription {
  readonly event: WebhookEventName
  /** Null: all. */
  readonly channel_ids: readonly number[] | null
}

interface EventSubscriptionRow {
  bot_id: number
  subscriptions: JsonText<EventSubscription[]>
}

/** Bots of an organization that are subscribed to events: an event may be a row for each. */
export const MAX_SUBSCRIBED_BOTS = 20

/** Returns the event subscriptions of all bots, by bot. The table `event_subscription` is owned by this file. */
export function eventSubscriptions(sql: Sql): ReadonlyMap<number, readonly EventSubscription[]> {
  return sql.kept('event subscriptions', () => {
    const rows = sql.all<EventSubscriptionRow>(
      `SELECT * FROM event_subscription ORDER BY bot_id LIMIT ?`,
      MAX_SUBSCRIBED_BOTS,
    )
    return new Map(rows.map(({ bot_id, subscriptions }) => [bot_id, fromJson(subscriptions)]))
  })
}

/** Replaces what a bot is subscribed to; [] ends it. */
export function putEventSubscriptions(
  sql: WritableSql,
  botId: number,
  subscriptions: readonly EventSubscription[],
): void {
  if (subscriptions.length === 0) {
    sql.run(`DELETE FROM event_subscription WHERE bot_id = ?`, botId)
    return
  }
  sql.run(
    `INSERT OR REPLACE INTO event_subscription (bot_id, subscriptions) VALUES (?, ?)`,
    botId,
    JSON.stringify(subscriptions),
  )
}
