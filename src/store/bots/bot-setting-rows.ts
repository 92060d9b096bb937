import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

/** The address to which an outgoing webhook is posted, and the format. */
export interface BotService {
  readonly name: string
  /** '' until the owner gives one. */
  readonly url: string
  /** 1: JSON with the message; 2: a form in the format of another chat service. */
  readonly interface: number
  /** Sent along, so that the receiver can recognize this server. */
  readonly token: string
}

/** Settings that a bot's owner gave it. The table `bot_setting` is owned by this file. */
export interface BotSettings {
  readonly sendingChannelId: number | null
  readonly eventsChannelId: number | null
  readonly allPublicChannels: boolean
  /** Outgoing webhooks only. */
  readonly service: BotService | null
  /** Time at which the owner was last notified of a failure, in UNIX seconds. */
  readonly warnedAt: number | null
}

interface BotSettingRow extends Omit<BotSettings, 'service'> {
  readonly userId: number
  readonly serviceName: string | null
  readonly serviceUrl: string | null
  readonly serviceInterface: number | null
  readonly serviceToken: string | null
}

const SETTINGS = new Rows<BotSettingRow>(
  'bot_setting',
  'user_id sending_channel_id events_channel_id all_public_channels:flag service_name service_url service_interface service_token warned_at',
)

export const NO_SETTINGS: BotSettings = {
  sendingChannelId: null,
  eventsChannelId: null,
  allPublicChannels: false,
  service: null,
  warnedAt: null,
}

export function botSettings(sql: Sql, botId: number): BotSettings {
  const row = SETTINGS.find(sql, `WHERE user_id = ?`, botId)
  return row ? settingsOf(row) : NO_SETTINGS
}

export function settingsOfBots(sql: Sql, botIds: readonly number[]): Map<number, BotSettings> {
  if (botIds.length === 0) return new Map()
  const rows = SETTINGS.list(sql, `WHERE user_id IN (SELECT value FROM json_each(?))`, botIds)
  return new Map(rows.map((row) => [row.userId, settingsOf(row)]))
}

export function changeBotSettings(sql: WritableSql, botId: number, changes: Partial<BotSettings>): void {
  const { service, ...settings } = { ...botSettings(sql, botId), ...changes }
  SETTINGS.replace(sql, {
    ...settings,
    userId: botId,
    serviceName: service?.name ?? null,
    serviceUrl: service?.url ?? null,
    serviceInterface: service?.interface ?? null,
    serviceToken: service?.token ?? null,
  })
}

function settingsOf(row: BotSettingRow): BotSettings {
  const { userId: _, serviceName, serviceUrl, serviceInterface, serviceToken, ...settings } = row
  const service =
    serviceToken === null
      ? null
      : {
          name: serviceName ?? '',
          url: serviceUrl ?? '',
          interface: serviceInterface ?? 1,
          token: serviceToken,
        }
  return { ...settings, service }
}

/** Returns the values that a bot has stored here, by key. The table `bot_storage` is owned by this file. */
export function readStorage(sql: Sql, userId: number): Map<string, string> {
  const rows = sql.all<{ key: string; value: string }>(
    `SELECT key, value FROM bot_storage WHERE user_id = ? ORDER BY key`,
    userId,
  )
  return new Map(rows.map(({ key, value }) => [key, value]))
}

export function putStorage(sql: WritableSql, userId: number, key: string, value: string): void {
  sql.run(
    `INSERT INTO bot_storage (user_id, key, value) VALUES (?1, ?2, ?3)
     ON CONFLICT (user_id, key) DO UPDATE SET value = ?3`,
    userId,
    key,
    value,
  )
}

export function deleteStorage(sql: WritableSql, userId: number, key: string): void {
  sql.run(`DELETE FROM bot_storage WHERE user_id = ? AND key = ?`, userId, key)
}

const SECRETS = new Rows<WebhookSecret>('webhook_secret', 'secret former former_until')

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

/** Secrets with which the calls of an outgoing webhook are signed. The table `webhook_secret` is owned by this file. */
interface WebhookSecret {
  readonly secret: string
  /** The secret before this one; null without one. */
  readonly former: string | null
  /** UNIX seconds until which the former one signs too. */
  readonly formerUntil: number | null
}

export function findWebhookSecret(sql: Sql, botId: number): WebhookSecret | undefined {
  return SECRETS.find(sql, `WHERE bot_id = ?`, botId)
}

/** Returns the secrets that sign a call now, the newest first. */
export function signingSecrets(sql: Sql, botId: number, now: number): string[] {
  const found = findWebhookSecret(sql, botId)
  if (!found) return []
  const { secret, former, formerUntil } = found
  return former !== null && formerUntil! > now ? [secret, former] : [secret]
}

export function putWebhookSecret(sql: WritableSql, botId: number, secret: WebhookSecret): void {
  SECRETS.replace(sql, secret, { bot_id: botId })
}
