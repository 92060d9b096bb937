import { type ApiError, ChannelDoesNotExistError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { MINUTE } from '../../core/time.ts'
import { escapeName, mentionText } from '../../markdown/mention-text.ts'
import { botSettings, changeBotSettings } from '../../store/bots/bot-setting-rows.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import { openSubscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { sendNotice } from './send-notice.ts'

/** Seconds between two warnings, since a bot may fail over and over. */
const SECONDS_BETWEEN_WARNINGS = 5 * MINUTE

/** Notifies a bot's owner of a failure, unless they were notified recently. `origin`: `https://chat.example.com`. */
export function warnBotOwner(tx: RealmTransaction, bot: User, content: string, origin: string): void {
  const owner = bot.botOwnerId === null ? undefined : findUser(tx.sql, bot.botOwnerId)
  if (!owner?.isActive) return
  const { warnedAt } = botSettings(tx.sql, bot.id)
  if (warnedAt !== null && tx.now - warnedAt < SECONDS_BETWEEN_WARNINGS) return
  changeBotSettings(tx.sql, bot.id, { warnedAt: Math.floor(tx.now) })
  sendNotice(tx, { to: { user: owner }, content, origin })
}

/** Warns that the bot's message was refused because there is no such channel. */
export function warnOfMissingChannel(
  tx: RealmTransaction,
  bot: User,
  refusal: ApiError,
  origin: string,
): void {
  if (bot.botType === null || !(refusal instanceof ChannelDoesNotExistError)) return
  const { stream, stream_id } = refusal.extra
  const what =
    stream === undefined
      ? `channel ID ${String(stream_id)}, but there is no channel with that ID.`
      : `channel #**${escapeName(String(stream))}**, but that channel does not exist. Click [here](#channels/new) to create it.`
  warnBotOwner(tx, bot, attempt(bot, what), origin)
}

/** Warns that the bot's message was sent to a channel without subscribers. */
export function warnOfEmptyChannel(tx: RealmTransaction, bot: User, channel: Channel, origin: string): void {
  if (bot.botType === null || openSubscribersOf(tx.sql, channel.id).size > 0) return
  const what = `channel ${mentionText({ channel })}. The channel exists but does not have any subscribers.`
  warnBotOwner(tx, bot, attempt(bot, what), origin)
}

function attempt(bot: User, what: string): string {
  return `Your bot \`${bot.deliveryEmail}\` tried to send a message to ${what}`
}
