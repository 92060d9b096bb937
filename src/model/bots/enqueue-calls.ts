import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { reactionTypeFor } from '../../events/message-additions.ts'
import { mayAccessChannelContent } from '../../rules/channel-rules.ts'
import { botSettings, eventSubscriptions, type WebhookEventName } from '../../store/bots/bot-setting-rows.ts'
import {
  insertWebhookCalls,
  type MessageCause,
  type NewWebhookCall,
} from '../../store/bots/webhook-call-rows.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import { findMessage, type IndexedMessage } from '../../store/messages/message-rows.ts'
import type { Reaction } from '../../store/reactions/reaction-rows.ts'
import type { ChannelMembers } from '../../store/subscriptions/subscriber-rows.ts'
import { channelsOf, isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { findUser, findUsers, type User } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import { findReadableMessage } from '../messages/read/message-access.ts'
import type { Composition } from '../messages/text/compose.ts'
import { accountsWithRoom, noteMissed } from '../quotas/within-quota.ts'
import { seesUser, visibleUsers } from '../users/visibility/visible-users.ts'
import { BOT_TYPE, isOutgoingWebhook, WEBHOOK_INTERFACE } from './bot-rules.ts'
import { readerOfCall, webhookMessageFor } from './webhook-message.ts'

/** Enqueues a call for each of these bots that has room for it within its quota. */
function enqueueCalls(tx: RealmTransaction, bots: readonly User[], call: NewWebhookCall): void {
  if (bots.length === 0) return
  const ids = withRoom(tx, bots)
  if (ids.length === 0) return
  insertWebhookCalls(tx.sql, ids, call, tx.now)
  tx.schedule({ kind: 'call-webhooks', key: '', dueAt: tx.now })
}

/** Returns the bots that have room for a call, and logs that the others miss it. */
function withRoom(tx: RealmTransaction, bots: readonly User[]): number[] {
  const all = bots.map(({ id }) => id)
  const ids = new Set(accountsWithRoom(tx, 'webhookCalls', all))
  return all.filter((id) => {
    if (!ids.has(id)) noteMissed(tx, 'Too many calls of a webhook wait: it misses some', { bot_id: id })
    return ids.has(id)
  })
}

/** Enqueues calls for webhooks that subscribe to reactions and may read the message. */
export function callForReaction(
  tx: RealmTransaction,
  op: 'add' | 'remove',
  user: User,
  message: IndexedMessage,
  { emoji_name, emoji_code, reaction_type }: Reaction,
): void {
  const { kind, id } = recipientOf(message.recipientId)
  const channelId = kind === 'channel' ? id : null
  const bots = eventSubscribers(tx, 'reaction', channelId, user.id).filter((bot) => {
    const reader = { user: bot, actor: actorOf(tx.sql, bot, tx.now) }
    return seesUser(tx, reader, user) && findReadableMessage(tx, reader, message.id) !== undefined
  })
  const of = { user_id: user.id, message_id: message.id, stream_id: channelId }
  const emoji = { emoji_name, emoji_code, reaction_type: reactionTypeFor(reaction_type, false) }
  const event = { op, timestamp: Math.floor(tx.now), ...of, ...emoji }
  enqueueCalls(tx, bots, { cause: 'reaction', event, origin: tx.origin })
}

/** Enqueues calls for webhooks that subscribe to subscriptions: one for each, with the channels that it may read. */
export function callForJoining(
  tx: RealmTransaction,
  joinings: readonly ChannelMembers[],
  causeId: number | null,
): void {
  const joined = joinings.filter(({ userIds }) => userIds.length > 0)
  const wanted = joined.flatMap((joining) =>
    eventSubscribers(tx, 'subscription', joining.channel.id, causeId).map((bot) => ({ bot, ...joining })),
  )
  if (wanted.length === 0) return
  const people = findUsers(tx.sql, [...new Set(joined.flatMap(({ userIds }) => userIds))])
  for (const all of Map.groupBy(wanted, ({ bot }) => bot.id).values()) {
    const { bot } = all[0]!
    const reader = { user: bot, actor: actorOf(tx.sql, bot, tx.now) }
    const seen = new Set(visibleUsers(tx, reader, [...people.values()]).map(({ id }) => id))
    const own = channelsOf(tx.sql, bot.id)
    const subscriptions = all.flatMap(({ channel, userIds }) => {
      const user_ids = userIds.filter((id) => seen.has(id))
      const isShown =
        user_ids.length > 0 && mayAccessChannelContent(reader.actor, channel, own.has(channel.id))
      return isShown ? { stream_id: channel.id, user_ids } : []
    })
    if (subscriptions.length === 0) continue
    const event = { op: 'add', timestamp: Math.floor(tx.now), subscriptions } as const
    enqueueCalls(tx, [bot], { cause: 'subscription', event, origin: tx.origin })
  }
}

/** Enqueues calls for webhooks that subscribe to new people and may see this one. */
export function callForNewPerson(tx: RealmTransaction, user: User, causeId: number | null): void {
  const bots = eventSubscribers(tx, 'new_person', null, causeId).filter((bot) =>
    seesUser(tx, { user: bot, actor: actorOf(tx.sql, bot, tx.now) }, user),
  )
  const event = { op: 'add', timestamp: Math.floor(tx.now), user_id: user.id } as const
  enqueueCalls(tx, bots, { cause: 'new_person', event, origin: tx.origin })
}

/**
 * Enqueues a call for every outgoing webhook that a stored message mentions, and for every other one that subscribes to the channel's
 * messages. Bots cannot call bots by mentioning them: two could call each other forever. Source: docs/interface/bots.md#outgoing-webhooks.
 */
export function enqueueWebhookCalls(tx: RealmTransaction, message: Composition, messageId: number): void {
  const { author, destination } = message
  const called = author.user.botType === null ? calledBots(tx, message) : []
  enqueueFor(tx, called, destination.kind === 'direct' ? 'direct_message' : 'mention', message, messageId)
  if (destination.kind === 'direct') return
  const ids = new Set(called.map(({ id }) => id))
  const subscribers = eventSubscribers(tx, 'message', destination.channel.id, author.user.id)
  const others = subscribers.filter((bot) => !ids.has(bot.id) && mayRead(tx, bot, destination.channel))
  enqueueFor(tx, others, 'message', message, messageId)
}

function enqueueFor(
  tx: RealmTransaction,
  bots: readonly User[],
  cause: MessageCause,
  { author, webOrigin: origin, content, rendered }: Composition,
  messageId: number,
): void {
  if (bots.length === 0) return
  const stored = findMessage(tx.sql, messageId)!
  // The calls differ only in the sender, whom some bots of guests do not see. A call may be long, so all bots alike share one.
  const readers = bots.map((bot) => readerOfCall(tx, bot, origin))
  for (const alike of Map.groupBy(readers, (bot) => seesUser(tx, bot, author.user)).values()) {
    const message = webhookMessageFor(tx, alike[0]!, stored, { content, html: rendered.html })
    enqueueCalls(
      tx,
      alike.map(({ user }) => user),
      { cause, message, origin },
    )
  }
}

/** Returns the bots that a message is sent to or mentions. The form-encoded format has no direct messages. */
function calledBots(tx: RealmReads, { destination, rendered }: Composition): User[] {
  if (destination.kind === 'direct') {
    return destination.participants
      .filter(isOutgoingWebhook)
      .filter(({ id }) => botSettings(tx.sql, id).service?.interface === WEBHOOK_INTERFACE.json)
  }
  if (rendered.mentionedUserIds.length === 0) return []
  return [...findUsers(tx.sql, rendered.mentionedUserIds).values()]
    .filter(isOutgoingWebhook)
    .filter((bot) => mayRead(tx, bot, destination.channel))
}

function mayRead({ sql, now }: RealmReads, bot: User, channel: Channel): boolean {
  return mayAccessChannelContent(actorOf(sql, bot, now), channel, isSubscribed(sql, channel.id, bot.id))
}

/**
 * Returns the bots that subscribe to an event, whether or not they may see it. `channelId`: null for an event outside channels. `causeId`:
 * the user who causes it, if any. Events that an outgoing webhook causes go to no bot, since two could answer each other forever.
 */
function eventSubscribers(
  { sql }: Pick<RealmReads, 'sql'>,
  event: WebhookEventName,
  channelId: number | null,
  causeId: number | null,
): User[] {
  const all = eventSubscriptions(sql)
  if (all.size === 0) return []
  const cause = causeId === null ? undefined : findUser(sql, causeId)
  if (cause?.botType === BOT_TYPE.outgoingWebhook) return []
  return [...all].flatMap(([botId, subscriptions]) => {
    const subscribed = subscriptions.find((one) => one.event === event)
    if (!subscribed || !isIn(subscribed.channel_ids, channelId)) return []
    const bot = findUser(sql, botId)
    return bot && isOutgoingWebhook(bot) ? bot : []
  })
}

function isIn(channelIds: readonly number[] | null, channelId: number | null): boolean {
  return channelIds === null || (channelId !== null && channelIds.includes(channelId))
}
