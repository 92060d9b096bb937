import { ADMINISTRATORS, type Audience, toUsers } from '../../core/audience.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { botSettings } from '../../store/bots/bot-setting-rows.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { presentBot } from './present-bot.ts'

/** Notifies a bot's owner and administrators of the bot, with its key. */
export function announceNewBot(tx: RealmTransaction, bot: User, audience = keepersOf(tx, bot)): void {
  // All readers except the bot's owner are administrators, who know of all channels.
  const owner = bot.botOwnerId === null ? undefined : findUser(tx.sql, bot.botOwnerId)
  tx.emit({ type: 'realm_bot', op: 'add', bot: presentBot(tx, bot, owner ?? bot) }, audience)
}

/** Notifies them of one changed property. For a person nothing is emitted. */
export function announceBotChange(
  tx: RealmTransaction,
  bot: User,
  change: Readonly<Record<string, unknown>>,
  audience = keepersOf(tx, bot),
): void {
  if (bot.botType === null) return
  tx.emit({ type: 'realm_bot', op: 'update', bot: { user_id: bot.id, ...change } }, audience)
}

export function announceBotGone(tx: RealmTransaction, bot: User, userId: number): void {
  tx.emit({ type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }, toUsers(userId))
}

/**
 * Returns a bot's owner and the administrators; the owner alone while one of the bot's channels is private, since
 * its settings would show the channel's name (docs/interface/events.md#events-about-people).
 */
export function keepersOf({ sql }: Pick<RealmReads, 'sql'>, bot: User): Audience {
  const users = bot.botOwnerId === null ? [] : [bot.botOwnerId]
  const { sendingChannelId, eventsChannelId } = botSettings(sql, bot.id)
  const isPrivate = [sendingChannelId, eventsChannelId].some(
    (id) => id !== null && findChannel(sql, id)?.isPrivate,
  )
  return isPrivate && users.length > 0 ? { users } : { ...ADMINISTRATORS, users }
}
