import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { mayAccessChannelContent } from '../../rules/channel-rules.ts'
import { botSettings } from '../../store/bots/bot-setting-rows.ts'
import type { MessageCause } from '../../store/bots/webhook-call-rows.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import { findMessage } from '../../store/messages/message-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { findUsers, type User } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import type { Composition } from '../messages/send/compose.ts'
import { seesUser } from '../users/visibility/visible-users.ts'
import { isOutgoingWebhook, WEBHOOK_INTERFACE } from './bot-rules.ts'
import { enqueueCalls } from './enqueue-calls.ts'
import { eventSubscribers } from './event-subscribers.ts'
import { readerOfCall, webhookMessageFor } from './webhook-message.ts'

/**
 * Enqueues a call for every outgoing webhook that a stored message mentions, and for each other that is subscribed to the channel's
 * messages. Bots call no bots by mentions: two of them would never come to an end. Source: docs/interface/bots.md#outgoing-webhooks.
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
  // Their calls differ only in the sender, whom some bots of guests do not see. A call may be long, so it is made once
  // for all of them.
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

/** Returns the bots that a message is written to, or mentions. The form of the other chat service has no direct messages. */
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
