import type { RealmView } from '../../core/realm-transaction.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import { actorOf } from '../caller.ts'
import { findChannel } from '../channels/channel-rows.ts'
import { isSubscribed } from '../subscriptions/subscription-rows.ts'
import { avatarUrl } from '../users/profile/avatar.ts'
import type { User } from '../users/user-rows.ts'
import { type BotService, type BotSettings, botSettings } from './bot-setting-rows.ts'

/**
 * Returns a bot with what only its owner and administrators may know: the key. `reader`: the one who gets it.
 * Source: docs/interface/register.md#what-the-snapshot-has.
 */
export function presentBot(view: RealmView, bot: User, reader: User) {
  const { sql, realm } = view
  const settings = botSettings(sql, bot.id)
  return {
    user_id: bot.id,
    email: bot.deliveryEmail,
    full_name: bot.fullName,
    bot_type: bot.botType,
    is_active: bot.isActive,
    api_key: bot.apiKey,
    ...presentDefaults(view, settings, reader),
    avatar_url: avatarUrl(bot, realm),
    owner_id: bot.botOwnerId,
    services: presentServices(settings.service),
  }
}

/** Returns a bot's default channels by name: null for a channel that the reader may not see. */
export function presentDefaults(view: RealmView, settings: BotSettings, reader: User) {
  return {
    default_sending_stream: channelName(view, settings.sendingChannelId, reader),
    default_events_register_stream: channelName(view, settings.eventsChannelId, reader),
    default_all_public_streams: settings.allPublicChannels,
  }
}

export function presentServices(service: BotService | null) {
  return service === null
    ? []
    : [{ base_url: service.url, interface: service.interface, token: service.token }]
}

function channelName({ sql, now }: RealmView, id: number | null, reader: User): string | null {
  const channel = id === null ? undefined : findChannel(sql, id)
  if (!channel) return null
  const subscribed = isSubscribed(sql, channel.id, reader.id)
  return mayAccessChannelMetadata(actorOf(sql, reader, now), channel, subscribed) ? channel.name : null
}
