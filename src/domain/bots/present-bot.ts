import type { RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { findChannel } from '../channels/channel-rows.ts'
import { avatarUrl } from '../users/avatar.ts'
import type { User } from '../users/user-rows.ts'
import { type BotService, type BotSettings, botSettings } from './bot-setting-rows.ts'

/** A bot with what only its owner and administrators may know: the key. Source: core-endpoints 1, realm_bot. */
export function presentBot({ sql, realm }: Pick<RealmView, 'sql' | 'realm'>, bot: User) {
  const settings = botSettings(sql, bot.id)
  return {
    user_id: bot.id,
    email: bot.deliveryEmail,
    full_name: bot.fullName,
    bot_type: bot.botType,
    is_active: bot.isActive,
    api_key: bot.apiKey,
    ...presentDefaults(sql, settings),
    avatar_url: avatarUrl(bot, realm),
    owner_id: bot.botOwnerId,
    services: presentServices(settings.service),
  }
}

/** Channels go by their names here. */
export function presentDefaults(sql: Sql, settings: BotSettings) {
  return {
    default_sending_stream: channelName(sql, settings.sendingChannelId),
    default_events_register_stream: channelName(sql, settings.eventsChannelId),
    default_all_public_streams: settings.allPublicChannels,
  }
}

export function presentServices(service: BotService | null) {
  return service === null
    ? []
    : [{ base_url: service.url, interface: service.interface, token: service.token }]
}

function channelName(sql: Sql, id: number | null): string | null {
  return id === null ? null : (findChannel(sql, id)?.name ?? null)
}
