import type { RealmIdentity, RealmView } from '../../core/realm-transaction.ts'
import { mayAccessChannelMetadata } from '../../rules/channel-rules.ts'
import {
  type BotService,
  type BotSettings,
  botSettings,
  NO_SETTINGS,
  settingsOfBots,
} from '../../store/bots/bot-setting-rows.ts'
import { findChannels } from '../../store/channels/channel-rows.ts'
import { channelsOf } from '../../store/subscriptions/subscriber-rows.ts'
import type { ShownBot } from '../../store/users/shown-bot-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import { avatarUrl } from '../users/profile/avatar.ts'

/**
 * Returns a bot for its owner, with what speaks for it, or for a reader who only manages it, without. Source:
 * docs/interface/register.md#what-the-snapshot-has.
 */
export function presentBot(view: RealmView, bot: User, reader: User) {
  const settings = botSettings(view.sql, bot.id)
  return presentedTo(reader, presented(view.realm, bot, settings, presentDefaults(view, settings, reader)))
}

/** Returns bots, each as `form` makes it of what `presentBot` returns. */
export function presentBots(
  view: RealmView,
  bots: readonly ShownBot[],
  reader: User,
  form: (bot: ShownBot, presented: PresentedBot) => object,
): object[] {
  const { sql, realm } = view
  const ids = bots.map(({ id }) => id)
  const settings = settingsOfBots(sql, ids)
  const names = channelNamesFor(
    view,
    [...settings.values()].flatMap(({ sendingChannelId, eventsChannelId }) => [
      sendingChannelId,
      eventsChannelId,
    ]),
    reader,
  )
  return bots.map((bot) => {
    const own = settings.get(bot.id) ?? NO_SETTINGS
    return form(bot, presentedTo(reader, presented(realm, bot, own, defaultsOf(own, names))))
  })
}

type PresentedBot = ReturnType<typeof presented>

function presentedTo(reader: Pick<User, 'id'>, bot: PresentedBot): PresentedBot {
  return bot.owner_id === reader.id ? bot : { ...bot, ...asManaged(bot) }
}

/** Returns a bot's secrets as those see them who only manage it: the fields stay, since clients rely on them. */
export function asManaged({ services }: Pick<PresentedBot, 'services'>) {
  return { api_key: '', services: services.map((service) => ({ ...service, base_url: '', token: '' })) }
}

function presented(
  realm: RealmIdentity,
  bot: ShownBot,
  { service }: BotSettings,
  defaults: ReturnType<typeof defaultsOf>,
) {
  return {
    user_id: bot.id,
    email: bot.deliveryEmail,
    full_name: bot.fullName,
    bot_type: bot.botType,
    is_active: bot.isActive,
    api_key: bot.apiKey,
    ...defaults,
    avatar_url: avatarUrl({ ...bot, isEmailConfirmed: true }, realm),
    owner_id: bot.botOwnerId,
    services: presentServices(service),
  }
}

/** Returns a bot's default channels by name: null for a channel that the reader may not see. */
export function presentDefaults(view: RealmView, settings: BotSettings, reader: User) {
  const { sendingChannelId, eventsChannelId } = settings
  return defaultsOf(settings, channelNamesFor(view, [sendingChannelId, eventsChannelId], reader))
}

function defaultsOf(settings: BotSettings, names: ReadonlyMap<number | null, string>) {
  return {
    default_sending_stream: names.get(settings.sendingChannelId) ?? null,
    default_events_register_stream: names.get(settings.eventsChannelId) ?? null,
    default_all_public_streams: settings.allPublicChannels,
  }
}

export function presentServices(service: BotService | null) {
  return service === null
    ? []
    : [{ base_url: service.url, interface: service.interface, token: service.token }]
}

/** Returns the names of the channels that the reader may see. */
function channelNamesFor(
  { sql, now }: RealmView,
  channelIds: readonly (number | null)[],
  reader: User,
): ReadonlyMap<number | null, string> {
  const ids = [...new Set(channelIds)].filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const [actor, subscribed] = [actorOf(sql, reader, now), channelsOf(sql, reader.id)]
  return new Map(
    findChannels(sql, ids)
      .filter((channel) => mayAccessChannelMetadata(actor, channel, subscribed.has(channel.id)))
      .map(({ id, name }) => [id, name]),
  )
}
