import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'

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

interface BotSettingRow {
  user_id: number
  sending_channel_id: number | null
  events_channel_id: number | null
  all_public_channels: number
  service_name: string | null
  service_url: string | null
  service_interface: number | null
  service_token: string | null
  warned_at: number | null
}

export const NO_SETTINGS: BotSettings = {
  sendingChannelId: null,
  eventsChannelId: null,
  allPublicChannels: false,
  service: null,
  warnedAt: null,
}

export function botSettings(sql: Sql, botId: number): BotSettings {
  const row = sql.first<BotSettingRow>(`SELECT * FROM bot_setting WHERE user_id = ?`, botId)
  return row ? settingsOf(row) : NO_SETTINGS
}

type SettingColumns = [
  botId: number,
  sendingChannelId: number | null,
  eventsChannelId: number | null,
  allPublicChannels: number,
  name: string | null,
  url: string | null,
  format: number | null,
  token: string | null,
  warnedAt: number | null,
]

/** Range of the ids of bots in one row of JSON: web addresses of 2,000 characters take 12 kB each at worst, and a row may have 2 MB. */
const SETTINGS_IN_ONE_ROW = 100

/** Returns the settings of those of the bots that have any: there may be thousands. */
export function settingsOfBots(sql: Sql, botIds: readonly number[]): Map<number, BotSettings> {
  const rows = sql.all<{ settings: JsonText<SettingColumns[]> }>(
    `SELECT json_group_array(json_array(user_id, sending_channel_id, events_channel_id, all_public_channels,
       service_name, service_url, service_interface, service_token, warned_at)) AS settings
     FROM bot_setting WHERE user_id IN (SELECT value FROM json_each(?))
     GROUP BY user_id / ${SETTINGS_IN_ONE_ROW}`,
    JSON.stringify(botIds),
  )
  const all = rows.flatMap(({ settings }) => fromJson(settings))
  return new Map(
    all.map(([user_id, sending, events, all_public_channels, name, url, format, token, warned_at]) => [
      user_id,
      settingsOf({
        user_id,
        sending_channel_id: sending,
        events_channel_id: events,
        all_public_channels,
        service_name: name,
        service_url: url,
        service_interface: format,
        service_token: token,
        warned_at,
      }),
    ]),
  )
}

export function changeBotSettings(sql: WritableSql, botId: number, changes: Partial<BotSettings>): void {
  const { sendingChannelId, eventsChannelId, allPublicChannels, service, warnedAt } = {
    ...botSettings(sql, botId),
    ...changes,
  }
  sql.run(
    `INSERT OR REPLACE INTO bot_setting (user_id, sending_channel_id, events_channel_id, all_public_channels,
       service_name, service_url, service_interface, service_token, warned_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    botId,
    sendingChannelId,
    eventsChannelId,
    Number(allPublicChannels),
    service?.name ?? null,
    service?.url ?? null,
    service?.interface ?? null,
    service?.token ?? null,
    warnedAt,
  )
}

function settingsOf(row: BotSettingRow): BotSettings {
  const { service_name, service_url, service_interface, service_token } = row
  return {
    sendingChannelId: row.sending_channel_id,
    eventsChannelId: row.events_channel_id,
    allPublicChannels: row.all_public_channels === 1,
    service:
      service_token === null
        ? null
        : {
            name: service_name ?? '',
            url: service_url ?? '',
            interface: service_interface ?? 1,
            token: service_token,
          },
    warnedAt: row.warned_at,
  }
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
