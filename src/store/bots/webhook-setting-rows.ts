import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

const SECRETS = new Rows<WebhookSecret>('secret former former_until')

/** Events that an outgoing webhook may be subscribed to, besides messages to it. */
export const WEBHOOK_EVENTS = ['message', 'reaction', 'subscription', 'new_person'] as const
export type WebhookEventName = (typeof WEBHOOK_EVENTS)[number]

/** One kind of event, in some channels or in all that the bot may read. */
export interface EventSubscription {
  readonly event: WebhookEventName
  /** Null: all. */
  readonly channel_ids: readonly number[] | null
}

/** Bots of an organization that are subscribed to events: an event may be a row for each. */
export const MAX_SUBSCRIBED_BOTS = 20

/** Returns the event subscriptions of all bots, by bot. The table `event_subscription` is owned by this file. */
export function eventSubscriptions(sql: Sql): ReadonlyMap<number, readonly EventSubscription[]> {
  return sql.kept('event subscriptions', () => {
    const rows = sql.all<{ bot_id: number; subscriptions: JsonText<EventSubscription[]> }>(
      `SELECT * FROM event_subscription ORDER BY bot_id LIMIT ?`,
      MAX_SUBSCRIBED_BOTS,
    )
    return new Map(rows.map(({ bot_id, subscriptions }) => [bot_id, fromJson(subscriptions)]))
  })
}

/** Replaces a bot's event subscriptions; [] ends them. */
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

/**
 * Secrets with which the calls of an outgoing webhook are signed. The table `webhook_secret` is owned by this file.
 */
export interface WebhookSecret {
  readonly secret: string
  /** The secret before this one; null without one. */
  readonly former: string | null
  /** UNIX seconds until which the former one signs too. */
  readonly formerUntil: number | null
}

export function findWebhookSecret(sql: Sql, botId: number): WebhookSecret | undefined {
  return SECRETS.first(sql, `SELECT ${SECRETS.columns} FROM webhook_secret WHERE bot_id = ?`, botId)
}

/** Returns the secrets that sign a call now, the newest first. */
export function signingSecrets(sql: Sql, botId: number, now: number): string[] {
  const found = findWebhookSecret(sql, botId)
  if (!found) return []
  const { secret, former, formerUntil } = found
  return former !== null && formerUntil! > now ? [secret, former] : [secret]
}

export function putWebhookSecret(sql: WritableSql, botId: number, secret: WebhookSecret): void {
  SECRETS.replace(sql, 'webhook_secret', secret, { bot_id: botId })
}
