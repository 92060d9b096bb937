import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { mayAccessChannelContent } from '../../permissions/channel-rules.ts'
import { actorOf } from '../caller.ts'
import { findMessage } from '../messages/message-rows.ts'
import type { Composition } from '../messages/send/compose.ts'
import { noteMissed } from '../quotas/note-missed.ts'
import { accountsWithRoom } from '../quotas/within-quota.ts'
import { isSubscribed } from '../subscriptions/subscriber-rows.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import { seesUser } from '../users/visibility/visible-users.ts'
import { BOT_TYPE, WEBHOOK_INTERFACE } from './bot-rules.ts'
import { botSettings } from './bot-setting-rows.ts'
import { insertWebhookCalls } from './webhook-call-rows.ts'
import { readerOfCall, webhookMessageFor } from './webhook-message.ts'

/** The job that posts to outgoing webhooks. */
export const DELIVER_WEBHOOK_CALLS = 'call-webhooks'

/**
 * Enqueues a call for every outgoing webhook that a stored message mentions. Bots call no bots: two of them
 * would never come to an end. A bot with as many pending calls as the quota allows misses some. Source:
 * docs/interface/bots.md#outgoing-webhooks.
 */
export function enqueueWebhookCalls(tx: RealmTransaction, message: Composition, messageId: number): void {
  if (message.author.user.botType !== null) return
  const bots = withRoom(tx, mentionedBots(tx, message))
  if (bots.length === 0) return
  const stored = findMessage(tx.sql, messageId)!
  const cause = message.destination.kind === 'direct' ? 'direct_message' : 'mention'
  const origin = message.webOrigin
  const text = { content: message.content, html: message.rendered.html }
  // What they get differs only in the sender, whom some bots of guests do not see: it may be long, and is made once for all of them.
  const callers = bots.map((bot) => readerOfCall(tx, bot, origin))
  for (const alike of Map.groupBy(callers, (bot) => seesUser(tx, bot, message.author.user)).values()) {
    const ids = alike.map(({ user }) => user.id)
    insertWebhookCalls(
      tx.sql,
      ids,
      { cause, message: webhookMessageFor(tx, alike[0]!, stored, text), origin },
      tx.now,
    )
  }
  tx.schedule({ kind: DELIVER_WEBHOOK_CALLS, key: '', dueAt: tx.now })
}

/** Returns the bots that have room for a call; of each other, it is noted that it misses one. */
function withRoom(tx: RealmTransaction, bots: readonly User[]): User[] {
  const ids = new Set(
    accountsWithRoom(
      tx,
      'webhookCalls',
      bots.map(({ id }) => id),
    ),
  )
  return bots.filter(({ id }) => {
    if (!ids.has(id)) noteMissed(tx, 'Too many calls of a webhook wait: it misses some', { bot_id: id })
    return ids.has(id)
  })
}

/** The form of the other chat service has no direct messages. */
function mentionedBots(tx: RealmReads, { destination, rendered }: Composition): User[] {
  if (destination.kind === 'direct') {
    return destination.participants
      .filter(isOutgoingWebhook)
      .filter(({ id }) => botSettings(tx.sql, id).service?.interface === WEBHOOK_INTERFACE.json)
  }
  if (rendered.mentionedUserIds.length === 0) return []
  const { channel } = destination
  return [...findUsers(tx.sql, rendered.mentionedUserIds).values()]
    .filter(isOutgoingWebhook)
    .filter((bot) => {
      const actor = actorOf(tx.sql, bot, tx.now)
      return mayAccessChannelContent(actor, channel, isSubscribed(tx.sql, channel.id, bot.id))
    })
}

function isOutgoingWebhook({ isActive, botType }: User): boolean {
  return isActive && botType === BOT_TYPE.outgoingWebhook
}
