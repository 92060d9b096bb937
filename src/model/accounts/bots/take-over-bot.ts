import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { mentionText } from '../../../markdown/mention-text.ts'
import { mayAccessChannelContent } from '../../../rules/channel-rules.ts'
import { botSettings, changeBotSettings, NO_SETTINGS } from '../../../store/bots/bot-setting-rows.ts'
import { deleteOwnThings, forgetPeriods, giveFiles } from '../../../store/bots/taken-over-bot-rows.ts'
import { findChannels } from '../../../store/channels/channel-rows.ts'
import { ReadSet } from '../../../store/messages/flags/read-rows.ts'
import { newestMessageId } from '../../../store/messages/message-rows.ts'
import { channelsOf } from '../../../store/subscriptions/subscriber-rows.ts'
import { listScheduledMessagesOf } from '../../../store/unsent/unsent-rows.ts'
import { changeUser, findUser, type User } from '../../../store/users/user-rows.ts'
import { announceBotChange } from '../../bots/announce-bot.ts'
import type { Caller } from '../../caller.ts'
import { personalNoticeTexts } from '../../notices/personal-notice-texts.ts'
import { cancelScheduledMessage } from '../../scheduled-messages/cancel-scheduled.ts'
import { sendNotice } from '../../sending/send-notice.ts'
import { leaveChannels } from '../../subscriptions/leave-channels.ts'
import { endQueues } from '../../users/login/sessions.ts'
import { changeBotOwner, limitRole } from './change-bot-owner.ts'

/**
 * Takes a bot from its owner, for an administrator, who must not learn through it what is hidden from administrators. So in the same commit
 * the bot leaves the channels that the administrator may not read, its record of messages and all that was its own end, its webhook has no
 * address any more, and its role is at most the administrator's. Its former owner is notified. Source: docs/interface/bots.md#a-new-owner.
 */
export function takeOverBot(tx: RealmTransaction, caller: Caller, bot: User, owner: User): void {
  const before = bot.botOwnerId === null ? undefined : findUser(tx.sql, bot.botOwnerId)
  endQueues(tx, [bot.id])
  leaveHiddenChannels(tx, caller, bot)
  forgetMessages(tx, bot)
  for (const message of listScheduledMessagesOf(tx.sql, bot.id)) cancelScheduledMessage(tx, message)
  deleteOwnThings(tx.sql, bot.id)
  if (before) giveFiles(tx.sql, bot.id, before.id)
  clearSettings(tx, bot)
  limitRole(tx, bot, caller.actor.role)
  changeUser(tx.sql, bot.id, { canCreateUsers: false, canChangeEmails: false })
  changeBotOwner(tx, findUser(tx.sql, bot.id)!, owner)
  if (before?.isActive && before.id !== caller.user.id) notifyFormerOwner(tx, caller, bot, before)
}

/** A protected history has messages that a later subscriber may not read: the bot leaves wherever there is one. */
function leaveHiddenChannels(tx: RealmTransaction, { actor, user }: Caller, bot: User): void {
  const own = channelsOf(tx.sql, user.id)
  const hidden = findChannels(tx.sql, channelsOf(tx.sql, bot.id).toArray()).filter(
    (channel) =>
      !mayAccessChannelContent(actor, channel, own.has(channel.id)) ||
      (channel.isPrivate && !channel.historyPublicToSubscribers),
  )
  leaveChannels(tx, {
    leaving: hidden.map((channel) => ({ channel, userIds: [bot.id] })),
    users: new Map([[bot.id, bot]]),
  })
}

/** Ends the bot's record of what was sent so far, above all in its direct conversations, which stay as they are for the others. */
function forgetMessages(tx: RealmTransaction, bot: User): void {
  const newest = newestMessageId(tx.sql)
  const read = new ReadSet(tx.sql, bot)
  read.raiseFloor(tx.sql, newest)
  read.save(tx.sql)
  forgetPeriods(tx.sql, bot.id)
  changeUser(tx.sql, bot.id, { recordsSince: newest })
}

function clearSettings(tx: RealmTransaction, bot: User): void {
  const { service, ...before } = botSettings(tx.sql, bot.id)
  changeBotSettings(tx.sql, bot.id, { ...NO_SETTINGS, service: service && { ...service, url: '' } })
  if (before.sendingChannelId !== null) announceBotChange(tx, bot, { default_sending_stream: null })
  if (before.eventsChannelId !== null) announceBotChange(tx, bot, { default_events_register_stream: null })
  if (before.allPublicChannels) announceBotChange(tx, bot, { default_all_public_streams: false })
}

function notifyFormerOwner(tx: RealmTransaction, { user, source }: Caller, bot: User, former: User): void {
  const texts = personalNoticeTexts(former)
  const content = texts.botTaken({ who: mentionText({ user }), bot: mentionText({ user: bot }) })
  sendNotice(tx, { to: { user: former }, content, origin: source.origin })
}
