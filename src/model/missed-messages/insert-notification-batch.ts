import { splitAt } from '../../core/parts-of-lists.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { listMessageQueuesOfUser } from '../../events/queue.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import { ReadSet } from '../../store/messages/flags/read-rows.ts'
import { findMessage, type IndexedMessage, newestMessagesSince } from '../../store/messages/message-rows.ts'
import {
  deleteNotificationBatch,
  findMissedMail,
  type MentionedCrowd,
  type NotifiableSubscribers,
  type NotificationBatch,
  oldestNotificationBatch,
  putNotificationBatch,
  type RemainingUsers,
} from '../../store/missed-messages/missed-mail-rows.ts'
import { isMutedBy, usersWhoMuted } from '../../store/muted-users/muted-user-rows.ts'
import { isMention, type NotifiableUser, type NotificationCause } from '../../store/notifications/causes.ts'
import {
  findSubscription,
  nextSubscriptions,
  type Subscription,
  subscriptionsAmong,
} from '../../store/subscriptions/subscription-rows.ts'
import { policiesAmong, TOPIC_POLICY, topicPolicy } from '../../store/user-topics/user-topic-rows.ts'
import { findUser, findUsers, type User } from '../../store/users/user-rows.ts'
import { flagsOf, isRead } from '../messages/flags/message-flags.ts'
import { topicOfMessage } from '../messages/topic-of-message.ts'
import { getsMail, groupFinder, isWelcome, stillNotifiable } from '../notifications/notifiable-users.ts'
import { type Concern, notificationCause } from '../notifications/notification-cause.ts'
import { PRESENCE } from '../presence/presence-memory.ts'
import {
  ENTERED_AT_ONCE,
  enter,
  IDLE_SECONDS,
  interestedIn,
  MAIL_OUTLET,
  mailOptionsOf,
  whoIsAway,
} from './note-missed-message.ts'

/** Enters a missed message for some of the many users whom it concerns. Returns when to continue (UNIX seconds). */
export function insertNotificationBatch(tx: RealmTransaction): number | undefined {
  const wave = oldestNotificationBatch(tx.sql)
  if (!wave) return undefined
  const left = insertNext(tx, wave)
  const { notifiable, mentioned, subscribers, interested } = left
  if (notifiable.length > 0 || mentioned || subscribers || interested) putNotificationBatch(tx.sql, left)
  else deleteNotificationBatch(tx.sql, wave.messageId)
  return tx.now
}

/** Enters the message for the next users. Returns what is left. */
function insertNext(tx: RealmTransaction, wave: NotificationBatch): NotificationBatch {
  const { notifiable, mentioned, interested, subscribers } = wave
  if (notifiable.length > 0) {
    const [next, left] = splitAt(notifiable, ENTERED_AT_ONCE)
    enter(tx, wave, next)
    return { ...wave, notifiable: left }
  }
  const message = findMessage(tx.sql, wave.messageId)
  const recipient = message && recipientOf(message.recipientId)
  if (recipient?.kind !== 'channel') {
    return { ...wave, mentioned: undefined, interested: undefined, subscribers: undefined }
  }
  const about = { message: message!, channelId: recipient.id }
  if (mentioned) return insertMentioned(tx, wave, about, mentioned)
  if (interested) return insertInterested(tx, wave, about, interested)
  return subscribers ? insertSubscribers(tx, wave, about, subscribers) : wave
}

/** The message of a wave, and its channel. */
interface AboutMessage {
  readonly message: IndexedMessage
  readonly channelId: number
}

/** Mentioned users who are entered in a turn: fewer than others, since the smallest group of each may have to be found. */
const MENTIONED_AT_ONCE = ENTERED_AT_ONCE / 2

function insertMentioned(
  tx: RealmTransaction,
  wave: NotificationBatch,
  about: AboutMessage,
  mentioned: MentionedCrowd,
): NotificationBatch {
  const [next, userIds] = splitAt(mentioned.userIds, MENTIONED_AT_ONCE)
  enter(tx, wave, whoIsAway(tx, mentionedAmong(tx, about, { ...mentioned, userIds: next })))
  return { ...wave, mentioned: userIds.length === 0 ? undefined : { ...mentioned, userIds } }
}

/** Returns the users who are still subscribed, want mail about mentions, and have not read the message meanwhile. */
function mentionedAmong(
  tx: RealmReads,
  { message, channelId }: AboutMessage,
  { userIds, byName, groupIds }: MentionedCrowd,
): NotifiableUser[] {
  const { sql } = tx
  const groupOf = groupFinder(tx, { mentionedUserIds: byName, mentionedGroupIds: groupIds })
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
    return [{ userId: user.id, cause, groupId: groupOf(user.id) }]
  })
}

/** Enters the next of the channel's subscribers, if the message notifies all of them. */
function insertSubscribers(
  tx: RealmTransaction,
  wave: NotificationBatch,
  about: AboutMessage,
  subscribers: NotifiableSubscribers,
): NotificationBatch {
  const { after, except, byEdit } = subscribers
  const next = nextSubscriptions(tx.sql, about.channelId, after, ENTERED_AT_ONCE)
  const notifiable = concernedAmong(tx, about, next, except).flatMap(({ userId, causeIf }) => {
    const cause = causeIf(true)
    if (!cause || !isMention(cause) || (byEdit && causeIf(false))) return []
    return [{ userId, cause, groupId: null }]
  })
  enter(tx, wave, whoIsAway(tx, notifiable))
  const isOver = next.length < ENTERED_AT_ONCE
  return { ...wave, subscribers: isOver ? undefined : { ...subscribers, after: next.at(-1)!.userId } }
}

/** Enters the next of the users who follow the topic, or want every message of the channel. */
function insertInterested(
  tx: RealmTransaction,
  wave: NotificationBatch,
  about: AboutMessage,
  interested: RemainingUsers,
): NotificationBatch {
  const { message, channelId } = about
  const topic = topicOfMessage(tx.sql, message)?.name ?? ''
  const left = interestedIn(tx.sql, channelId, topic).filter((id) => id > interested.after)
  const next = [...new Set(left)].sort((a, b) => a - b).slice(0, ENTERED_AT_ONCE)
  const subscriptions = [...subscriptionsAmong(tx.sql, channelId, next).values()]
  const open = subscriptions.filter(({ isActive }) => isActive)
  const mentionsChannel = (message.bits & MESSAGE_BIT.channelWildcard) !== 0
  const concerned = concernedAmong(tx, about, open, interested.except)
  const notifiable = concerned.flatMap(({ userId, causeIf }) => {
    const cause = causeIf(mentionsChannel)
    // Users whom it mentions are found with the other subscribers.
    return cause && !isMention(cause) ? [{ userId, cause, groupId: null }] : []
  })
  enter(tx, wave, whoIsAway(tx, notifiable))
  const isOver = next.length < ENTERED_AT_ONCE
  return { ...wave, interested: isOver ? undefined : { ...interested, after: next.at(-1)! } }
}

/** A subscriber who received a message, has not read it, and may get mail about it. */
interface Concerned {
  readonly userId: number
  /** Returns the cause if the message mentions, or does not mention, the channel. */
  readonly causeIf: (isChannelMentioned: boolean) => NotificationCause | undefined
}

function concernedAmong(
  tx: RealmReads,
  { message, channelId }: AboutMessage,
  subscriptions: readonly Subscription[],
  except: readonly number[],
): Concerned[] {
  const { sql } = tx
  const isLeftOut = new Set([...except, ...usersWhoMuted(sql, message.senderId)])
  const ids = subscriptions.map(({ userId }) => userId)
  const policies = policiesAmong(sql, channelId, topicOfMessage(sql, message)?.name ?? '', ids)
  const users = findUsers(sql, ids)
  const hears = (user: User | undefined): user is User =>
    getsMail(user) && !isLeftOut.has(user.id) && !isRead(message, user, new ReadSet(sql, user))
  return subscriptions.flatMap((subscription) => {
    const { userId } = subscription
    const user = users.get(userId)
    if (subscription.sinceMessage >= message.id || !hears(user)) return []
    const causeIf = (isChannelMentioned: boolean) =>
      notificationCause('mail', mailOptionsOf(user), {
        isDirect: false,
        isMentioned: false,
        isTopicMentioned: false,
        isChannelMentioned,
        subscription,
        policy: policies.get(userId) ?? TOPIC_POLICY.none,
      })
    return [{ userId, causeIf }]
  })
}

/** Number of the newest messages that are checked. */
const LOOKED_AT = 300

/**
 * Enters messages for mail when a user's last client has ended without acknowledging anything since `seenAt` (UNIX seconds): the messages
 * since then that were not entered because a client was there. Source: docs/interface/notifications.md#when.
 */
export function giveSecondChance(tx: RealmTransaction, userId: number, seenAt: number): void {
  const user = findUser(tx.sql, userId)
  if (!getsMail(user) || tx.recall(MAIL_OUTLET).isMissing) return
  if (listMessageQueuesOfUser(tx.sql, userId).length > 0) return
  const activeAt = tx.recall(PRESENCE).of(userId)?.activeAt ?? tx.now
  const waiting = new Set(findMissedMail(tx.sql, userId)?.missed.map(({ messageId }) => messageId))
  const messages = newestMessagesSince(tx.sql, Math.floor(seenAt) - 1, LOOKED_AT).filter(
    ({ id, sentAt, senderId }) =>
      sentAt <= activeAt + IDLE_SECONDS && senderId !== userId && !waiting.has(id),
  )
  const flags = flagsOf(tx, { user }, messages, {})
  for (const message of messages) {
    const own = flags.get(message.id)!
    if (own.includes('read') || isMutedBy(tx.sql, message.senderId, userId)) continue
    if (isWelcome(findUser(tx.sql, message.senderId)!)) continue
    const concern = concernOf(tx, user, message, own)
    const cause = concern && notificationCause('mail', mailOptionsOf(user), concern)
    if (!cause || !stillNotifiable(tx, user, message.id, cause)) continue
    enter(tx, { messageId: message.id, origin: tx.origin, enteredAt: tx.now }, [
      { userId, cause, groupId: null },
    ])
  }
}

function concernOf(
  tx: RealmReads,
  user: User,
  message: IndexedMessage,
  flags: readonly string[],
): Concern | undefined {
  const recipient = recipientOf(message.recipientId)
  const notifiable = {
    isMentioned: flags.includes('mentioned'),
    isTopicMentioned: flags.includes('topic_wildcard_mentioned'),
    isChannelMentioned: flags.includes('stream_wildcard_mentioned'),
  }
  if (recipient.kind !== 'channel') return { ...notifiable, isDirect: true, policy: TOPIC_POLICY.none }
  const subscription = findSubscription(tx.sql, recipient.id, user.id)
  if (!subscription?.isActive) return undefined
  const policy = topicPolicy(tx.sql, user.id, recipient.id, topicOfMessage(tx.sql, message)?.name ?? '')
  return { ...notifiable, isDirect: false, subscription, policy }
}
