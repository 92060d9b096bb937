import { ADMINISTRATORS, type Audience, toUsers } from '../../core/audience.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { botSettings } from '../../store/bots/bot-setting-rows.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { asManaged, presentBot, type presentServices } from './present-bot.ts'

/** Notifies a bot's owner of the bot, with its key, and the other administrators, without. */
export function announceNewBot(tx: RealmTransaction, bot: User): void {
  const owner = bot.botOwnerId === null ? undefined : findUser(tx.sql, bot.botOwnerId)
  if (owner) announceNewBotTo(tx, bot, owner)
  // Administrators know of all channels that are named to them.
  const managed = presentBot(tx, bot, owner ?? bot)
  const managers = managersOf(tx, bot)
  if (!managers.roles) return
  tx.emit({ type: 'realm_bot', op: 'add', bot: { ...managed, ...asManaged(managed) } }, managers)
}

/** Notifies the owner alone. */
export function announceNewBotTo(tx: RealmTransaction, bot: User, owner: User): void {
  tx.emit({ type: 'realm_bot', op: 'add', bot: presentBot(tx, bot, owner) }, toUsers(owner.id))
}

/** Notifies a bot's owner and the administrators of one changed property. For a person nothing is emitted. */
export function announceBotChange(
  tx: RealmTransaction,
  bot: User,
  change: Readonly<Record<string, unknown>>,
  audience = keepersOf(tx, bot),
): void {
  if (bot.botType === null) return
  tx.emit({ type: 'realm_bot', op: 'update', bot: { user_id: bot.id, ...change } }, audience)
}

/** Notifies the owner of a new key. For a person nothing is emitted. */
export function announceBotKey(tx: RealmTransaction, bot: User, apiKey: string): void {
  if (bot.botOwnerId !== null) announceBotChange(tx, bot, { api_key: apiKey }, toUsers(bot.botOwnerId))
}

/** Notifies the owner of an outgoing webhook's changed address, format or token, and those who manage it of what they see of that. */
export function announceServices(
  tx: RealmTransaction,
  bot: User,
  before: Services,
  services: Services,
): void {
  const isOther = (one: object, other: object) => JSON.stringify(one) !== JSON.stringify(other)
  if (isOther(before, services)) announceBotChange(tx, bot, { services }, toUsers(bot.botOwnerId!))
  const [old, managed] = [before, services].map((all) => asManaged({ services: all }).services)
  const managers = managersOf(tx, bot)
  if (managers.roles && isOther(old!, managed!)) announceBotChange(tx, bot, { services: managed }, managers)
}

type Services = ReturnType<typeof presentServices>

export function announceBotGone(tx: RealmTransaction, bot: User, userId: number): void {
  tx.emit({ type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }, toUsers(userId))
}

/** Returns a bot's owner and those who manage it. */
function keepersOf(tx: Pick<RealmReads, 'sql'>, bot: User): Audience {
  const { except: users = [], roles } = managersOf(tx, bot)
  return roles ? { roles, users } : { users }
}

/**
 * Returns the administrators but the owner; nobody while one of the bot's channels is private, since its settings would show the channel's
 * name (docs/interface/events.md#events-about-people).
 */
export function managersOf({ sql }: Pick<RealmReads, 'sql'>, bot: User): Audience {
  const except = bot.botOwnerId === null ? [] : [bot.botOwnerId]
  const { sendingChannelId, eventsChannelId } = botSettings(sql, bot.id)
  const isPrivate = [sendingChannelId, eventsChannelId].some(
    (id) => id !== null && findChannel(sql, id)?.isPrivate,
  )
  return isPrivate && except.length > 0 ? { except } : { ...ADMINISTRATORS, except }
}
