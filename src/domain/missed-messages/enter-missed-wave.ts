import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { isRead } from '../messages/message-flags.ts'
import { findMessage, type IndexedMessage } from '../messages/message-rows.ts'
import { ReadSet } from '../messages/read-rows.ts'
import { topicOfMessage } from '../messages/topic-of-message.ts'
import { usersWhoMuted } from '../muted-users/muted-user-rows.ts'
import { isCall, notificationCause } from '../notifications/notification-cause.ts'
import type { CalledUser } from '../notifications/who-is-called.ts'
import { nextSubscriptions, type Subscription } from '../subscriptions/subscription-rows.ts'
import { listTopicSettings, TOPIC_POLICY } from '../user-topics/user-topic-rows.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import {
  type CalledSubscribers,
  deleteMissedWave,
  type MissedWave,
  oldestMissedWave,
  putMissedWave,
} from './missed-mail-rows.ts'
import { ENTERED_AT_ONCE, enter, getsMail, mailOptionsOf, whoIsAway } from './note-missed-message.ts'

/** Enters a message for some of the many whom it calls. Answers when to go on (UNIX seconds). */
export function enterMissedWave(tx: RealmTransaction): number | undefined {
  const wave = oldestMissedWave(tx.sql)
  if (!wave) return undefined
  const left = wave.called.length > 0 ? enterListed(tx, wave) : enterSubscribers(tx, wave)
  if (left.called.length > 0 || left.subscribers) putMissedWave(tx.sql, left)
  else deleteMissedWave(tx.sql, wave.messageId)
  return tx.now
}

/** Of those who were found to be called when the message was sent. Answers what is left. */
function enterListed(tx: RealmTransaction, wave: MissedWave): MissedWave {
  enter(tx, wave, wave.called.slice(0, ENTERED_AT_ONCE))
  return { ...wave, called: wave.called.slice(ENTERED_AT_ONCE) }
}

/** Of the channel's subscribers, the next. Answers what is left. */
function enterSubscribers(tx: RealmTransaction, wave: MissedWave): MissedWave {
  const message = findMessage(tx.sql, wave.messageId)
  const recipient = message && recipientOf(message.recipientId)
  if (!wave.subscribers || recipient?.kind !== 'channel') return { ...wave, subscribers: undefined }
  const next = nextSubscriptions(tx.sql, recipient.id, wave.subscribers.after, ENTERED_AT_ONCE)
  enter(tx, wave, whoIsAway(tx, calledAmong(tx, message!, recipient.id, next, wave.subscribers)))
  const isOver = next.length < ENTERED_AT_ONCE
  const after = next.at(-1)?.userId ?? 0
  return { ...wave, subscribers: isOver ? undefined : { ...wave.subscribers, after } }
}

/** Who of these subscribers is called by a message to all of them, has received it, and has not read it meanwhile. */
function calledAmong(
  tx: RealmTransaction,
  message: IndexedMessage,
  channelId: number,
  subscriptions: readonly Subscription[],
  { except }: CalledSubscribers,
): CalledUser[] {
  const { sql } = tx
  const isLeftOut = new Set([...except, ...usersWhoMuted(sql, message.senderId)])
  const settings = listTopicSettings(sql, channelId, topicOfMessage(sql, message)?.name ?? '')
  const policies = new Map(settings.map(({ userId, policy }) => [userId, policy]))
  const users = findUsers(
    sql,
    subscriptions.map(({ userId }) => userId),
  )
  const hears = (user: User | undefined): user is User =>
    getsMail(user) && !isLeftOut.has(user.id) && !isRead(message, user, new ReadSet(sql, user))
  return subscriptions.flatMap((subscription) => {
    const { userId } = subscription
    const user = users.get(userId)
    if (subscription.sinceMessage >= message.id || !hears(user)) return []
    const cause = notificationCause('mail', mailOptionsOf(user), {
      isDirect: false,
      isMentioned: false,
      isTopicMentioned: false,
      isChannelMentioned: true,
      subscription,
      policy: policies.get(userId) ?? TOPIC_POLICY.none,
    })
    return cause && isCall(cause) ? [{ userId, cause, groupId: null }] : []
  })
}
