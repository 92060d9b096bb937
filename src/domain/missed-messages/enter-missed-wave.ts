import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { actorOf } from '../caller.ts'
import { isRead } from '../messages/flags/message-flags.ts'
import { ReadSet } from '../messages/flags/read-rows.ts'
import { findMessage, type IndexedMessage } from '../messages/message-rows.ts'
import { topicOfMessage } from '../messages/topic-of-message.ts'
import { usersWhoMuted } from '../muted-users/muted-user-rows.ts'
import { isMention, type NotifiableUser } from '../notifications/causes.ts'
import { notificationCause } from '../notifications/notification-cause.ts'
import {
  nextSubscriptions,
  type Subscription,
  subscriptionsAmong,
} from '../subscriptions/subscription-rows.ts'
import { listTopicSettings, TOPIC_POLICY } from '../user-topics/user-topic-rows.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import { getsMail } from './gets-mail.ts'
import {
  deleteMissedWave,
  type MentionedCrowd,
  type MissedWave,
  type NotifiableSubscribers,
  oldestMissedWave,
  putMissedWave,
} from './missed-mail-rows.ts'
import { ENTERED_AT_ONCE, enter, mailOptionsOf, whoIsAway } from './note-missed-message.ts'

/**
 * Enters a missed message for some of the many users whom it mentions. Returns when to continue (UNIX
 * seconds).
 */
export function enterMissedWave(tx: RealmTransaction): number | undefined {
  const wave = oldestMissedWave(tx.sql)
  if (!wave) return undefined
  const left = enterNext(tx, wave)
  if (left.notifiable.length > 0 || left.mentioned || left.subscribers) putMissedWave(tx.sql, left)
  else deleteMissedWave(tx.sql, wave.messageId)
  return tx.now
}

function enterNext(tx: RealmTransaction, wave: MissedWave): MissedWave {
  if (wave.notifiable.length > 0) return enterListed(tx, wave)
  return wave.mentioned ? enterMentioned(tx, wave, wave.mentioned) : enterSubscribers(tx, wave)
}

/**
 * Enters some of the users who were found to be notifiable when the message was sent. Returns what is left.
 */
function enterListed(tx: RealmTransaction, wave: MissedWave): MissedWave {
  enter(tx, wave, wave.notifiable.slice(0, ENTERED_AT_ONCE))
  return { ...wave, notifiable: wave.notifiable.slice(ENTERED_AT_ONCE) }
}

/** Enters the next of the mentioned users. Returns what is left. */
function enterMentioned(tx: RealmTransaction, wave: MissedWave, mentioned: MentionedCrowd): MissedWave {
  const message = findMessage(tx.sql, wave.messageId)
  const recipient = message && recipientOf(message.recipientId)
  if (recipient?.kind !== 'channel') return { ...wave, mentioned: undefined }
  const next = mentioned.userIds.slice(0, ENTERED_AT_ONCE)
  enter(tx, wave, whoIsAway(tx, mentionedAmong(tx, message!, recipient.id, { ...mentioned, userIds: next })))
  const userIds = mentioned.userIds.slice(ENTERED_AT_ONCE)
  return { ...wave, mentioned: userIds.length === 0 ? undefined : { ...mentioned, userIds } }
}

/**
 * Returns those users who are still subscribed, want mail about mentions, and have not read the message
 * meanwhile.
 */
function mentionedAmong(
  tx: RealmReads,
  message: IndexedMessage,
  channelId: number,
  { userIds, byName, groupIds }: MentionedCrowd,
): NotifiableUser[] {
  const { sql } = tx
  const isNamed = new Set(byName)
  const users = findUsers(sql, userIds)
  return [...subscriptionsAmong(sql, channelId, userIds).values()].flatMap((subscription) => {
    const user = users.get(subscription.userId)
    if (!subscription.isActive || !getsMail(user) || isRead(message, user, new ReadSet(sql, user))) return []
    const cause = notificationCause('mail', mailOptionsOf(user), {
      isDirect: false,
      isMentioned: true,
      isTopicMentioned: false,
      isChannelMentioned: false,
      subscription,
      policy: TOPIC_POLICY.none,
    })
    if (!cause || !isMention(cause)) return []
    const groupOf = () =>
      groupIds.length === 1
        ? groupIds[0]!
        : (groupIds.find((id) => actorOf(sql, user, tx.now).groupIds.has(id)) ?? null)
    return [{ userId: user.id, cause, groupId: isNamed.has(user.id) ? null : groupOf() }]
  })
}

/** Enters the next of the channel's subscribers. Returns what is left. */
function enterSubscribers(tx: RealmTransaction, wave: MissedWave): MissedWave {
  const message = findMessage(tx.sql, wave.messageId)
  const recipient = message && recipientOf(message.recipientId)
  if (!wave.subscribers || recipient?.kind !== 'channel') return { ...wave, subscribers: undefined }
  const next = nextSubscriptions(tx.sql, recipient.id, wave.subscribers.after, ENTERED_AT_ONCE)
  enter(tx, wave, whoIsAway(tx, notifiableAmong(tx, message!, recipient.id, next, wave.subscribers)))
  const isOver = next.length < ENTERED_AT_ONCE
  const after = next.at(-1)?.userId ?? 0
  return { ...wave, subscribers: isOver ? undefined : { ...wave.subscribers, after } }
}

/**
 * Returns the subscribers who are notified of a message to all of them, received it, and have not read it
 * meanwhile.
 */
function notifiableAmong(
  tx: RealmReads,
  message: IndexedMessage,
  channelId: number,
  subscriptions: readonly Subscription[],
  { except }: NotifiableSubscribers,
): NotifiableUser[] {
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
    return cause && isMention(cause) ? [{ userId, cause, groupId: null }] : []
  })
}
