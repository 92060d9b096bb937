import type { MemorySlot, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { listMessageQueuesOfUser } from '../../events/queue.ts'
import { SEND_EMAILS } from '../emails/email-rows.ts'
import type { IndexedMessage } from '../messages/message-rows.ts'
import { usersWhoMuted } from '../muted-users/muted-user-rows.ts'
import { type Mentions, NO_MENTIONS } from '../notifications/mentions.ts'
import { isCall, type NotificationOptions } from '../notifications/notification-cause.ts'
import {
  type CalledUser,
  type Receiver,
  type ToldMessage,
  whoIsCalled,
} from '../notifications/who-is-called.ts'
import { PRESENCE } from '../presence/presence-memory.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { countSubscribers, subscriberIds, subscriptionsAmong } from '../subscriptions/subscription-rows.ts'
import { listTopicSettings, TOPIC_POLICY } from '../user-topics/user-topic-rows.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import { userSetting } from '../users/user-setting-rows.ts'
import {
  addMissedMessage,
  type CalledSubscribers,
  findMissedWave,
  putMissedWave,
  shiftMissedMail,
} from './missed-mail-rows.ts'

/** The job that enters a message for those whom it calls, when they are many (enter-missed-wave.ts). */
export const ENTER_MISSED = 'enter-missed'

/** Entered in the commit that stores the message, or in one turn of the job; of a channel that is called, subscribers looked at. */
export const ENTERED_AT_ONCE = 300
/** Whoever used it no longer ago is there (docs/interface/conventions.md#limits). */
export const IDLE_SECONDS = 200

/** Whether mail leaves at all, as far as is known since the object woke: nothing is noted for mail that does not. */
export const MAIL_OUTLET: MemorySlot<{ isMissing: boolean }> = {
  name: 'mail-outlet',
  load: () => ({ isMissing: false }),
}

/**
 * Notes that a message that has just been stored is to be mailed to those who are away and want that: a row for each of them.
 * Who is there learns of it by the clients that are open; if those end without it, the message is looked at again
 * (second-chance.ts). Source: docs/interface/notifications.md#why; docs/interface/notifications.md#when.
 */
export function mailAbout(
  tx: RealmTransaction,
  message: ToldMessage,
  messageId: number,
  mentions: Mentions,
  arrivesUnread: (userId: number) => boolean,
): void {
  if (tx.recall(MAIL_OUTLET).isMissing || isWelcome(message.author.user)) return
  const { called, others } = calledByMail(tx, message, mentions)
  note(
    tx,
    message,
    messageId,
    called.filter(({ userId }) => arrivesUnread(userId)),
    others,
  )
}

/** What is mailed of an edit: to those whom it has called, and who had not heard of the message. */
export function watchMailed(tx: RealmTransaction, { id, senderId }: IndexedMessage) {
  if (tx.recall(MAIL_OUTLET).isMissing) return undefined
  return (edited: ToldMessage, added: Mentions, calledBefore: ReadonlySet<number>): void => {
    if (added.byName.length + added.inTopic.length === 0 && !added.isChannel) return
    const heardBefore = new Set(calledByMail(tx, edited, NO_MENTIONS).called.map(({ userId }) => userId))
    const deaf = new Set(usersWhoMuted(tx.sql, senderId))
    const { called, others } = calledByMail(tx, edited, added)
    const calledNow = called.filter(
      ({ userId, cause }) =>
        isCall(cause) &&
        !calledBefore.has(userId) &&
        userId !== senderId &&
        !heardBefore.has(userId) &&
        !deaf.has(userId),
    )
    const unheard = others && { ...others, except: [...others.except, ...calledBefore] }
    note(tx, edited, id, calledNow, unheard)
  }
}

function note(
  tx: RealmTransaction,
  { webOrigin: origin }: ToldMessage,
  messageId: number,
  all: readonly CalledUser[],
  subscribers: CalledSubscribers | undefined,
): void {
  const missed = { messageId, origin, calledAt: tx.now }
  const called = whoIsAway(tx, all)
  const now = called.length <= ENTERED_AT_ONCE ? called : []
  enter(tx, missed, now)
  if (now.length === called.length && !subscribers) return
  const before = findMissedWave(tx.sql, messageId)
  putMissedWave(tx.sql, {
    ...missed,
    called: [...(before?.called ?? []), ...(now.length === 0 ? called : [])],
    subscribers: subscribers ?? before?.subscribers,
  })
  tx.schedule({ kind: ENTER_MISSED, key: '', dueAt: tx.now })
}

/** Those of them who use no client that gets messages. */
export function whoIsAway<Called extends { readonly userId: number }>(
  tx: RealmTransaction,
  called: readonly Called[],
): Called[] {
  return called.filter(({ userId }) => !isThere(tx, userId))
}

/** Enters a message for these people, each to be told after as long as they want mail to wait for more. */
export function enter(
  tx: RealmTransaction,
  { messageId, origin, calledAt }: { messageId: number; origin: string; calledAt: number },
  called: readonly CalledUser[],
): void {
  if (called.length === 0) return
  const users = findUsers(
    tx.sql,
    called.map(({ userId }) => userId),
  )
  let firstAt = Number.POSITIVE_INFINITY
  for (const { userId, cause, groupId } of called) {
    const dueAt = calledAt + userSetting(users.get(userId)!, 'email_notifications_batching_period_seconds')
    addMissedMessage(tx.sql, userId, { messageId, cause, groupId, calledAt }, { origin, dueAt })
    firstAt = Math.min(firstAt, dueAt)
  }
  tx.schedule({ kind: SEND_EMAILS, key: '', dueAt: firstAt })
}

/** The reader wants mail to wait so many seconds longer, or less long. */
export function retimeMissedMail(tx: RealmTransaction, { id }: User, seconds: number): void {
  const dueAt = shiftMissedMail(tx.sql, id, seconds)
  if (dueAt !== undefined) tx.schedule({ kind: SEND_EMAILS, key: '', dueAt })
}

interface CalledByMail {
  readonly called: readonly CalledUser[]
  /** Of a channel with so many subscribers that they are looked at in turns of their own. */
  readonly others: CalledSubscribers | undefined
}

function calledByMail(tx: RealmTransaction, message: ToldMessage, mentions: Mentions): CalledByMail {
  const isCrowd = mentions.isChannel && isCrowded(tx.sql, message)
  const receivers = receiversOfMail(tx, message, mentions, isCrowd)
  const ids = receivers.map(({ userId }) => userId)
  const others = isCrowd ? { after: 0, except: [message.author.user.id, ...ids] } : undefined
  if (receivers.length === 0) return { called: [], others }
  const users = findUsers(tx.sql, ids)
  const people = receivers.filter(({ userId }) => getsMail(users.get(userId)))
  const optionsOf = (userId: number) => mailOptionsOf(users.get(userId)!)
  return { called: whoIsCalled(tx, 'mail', message, mentions, people, optionsOf), others }
}

/** Has the channel more subscribers than are looked at in one commit? */
function isCrowded(sql: Sql, { destination }: ToldMessage): boolean {
  if (destination.kind === 'direct') return false
  return countSubscribers(sql, destination.channel.id, ENTERED_AT_ONCE + 1) > ENTERED_AT_ONCE
}

/** What newcomers are greeted with they read where they are: they have just come. */
export function isWelcome(user: User): boolean {
  return user.isSystemBot && user.deliveryEmail.startsWith('welcome-bot@')
}

/** Bots and closed accounts get none. */
export function getsMail(user: User | undefined): user is User {
  return user?.isActive === true && user.botType === null && !user.isSystemBot
}

/** Of those who receive it all who may want mail of it: not the many who only read the channel, nor a crowd that it calls as a whole. */
function receiversOfMail(
  tx: RealmTransaction,
  { destination, author }: ToldMessage,
  mentions: Mentions,
  isCrowd: boolean,
): Receiver[] {
  if (destination.kind === 'direct') {
    return destination.participants
      .filter(({ id }) => id !== author.user.id)
      .map(({ id }) => ({ userId: id, policy: TOPIC_POLICY.none }))
  }
  const { channel, topic } = destination
  const settings = listTopicSettings(tx.sql, channel.id, topic)
  const policies = new Map(settings.map(({ userId, policy }) => [userId, policy]))
  const followers = settings.filter(({ policy }) => policy === TOPIC_POLICY.followed)
  const ids = new Set([
    ...mentions.byName,
    ...mentions.inTopic,
    ...(mentions.isChannel && !isCrowd ? subscriberIds(tx.sql, channel.id) : []),
    ...followers.map(({ userId }) => userId),
    ...listenersOf(tx.sql, channel.id),
  ])
  ids.delete(author.user.id)
  if (ids.size === 0) return []
  return [...subscriptionsAmong(tx.sql, channel.id, [...ids]).values()]
    .filter(({ isActive }) => isActive)
    .map((subscription) => ({
      userId: subscription.userId,
      subscription,
      policy: policies.get(subscription.userId) ?? TOPIC_POLICY.none,
    }))
}

/** Who wants all messages of the channel: of this one, or of all. They have indexes of their own: nobody else is looked at. */
function listenersOf(sql: Sql, channelId: number): number[] {
  return sql
    .all<{ id: number }>(
      `SELECT id FROM user WHERE json_extract(settings, '$.enable_stream_email_notifications') = 1
       UNION ALL SELECT user_id FROM subscription WHERE channel_id = ? AND email_notifications = 1`,
      channelId,
    )
    .map(({ id }) => id)
}

/** What somebody wants to be mailed. */
export function mailOptionsOf(user: User): NotificationOptions {
  return {
    calls: userSetting(user, 'enable_offline_email_notifications'),
    channels: userSetting(user, 'enable_stream_email_notifications'),
    wildcards: userSetting(user, 'wildcard_mentions_notify'),
    followedTopics: userSetting(user, 'enable_followed_topic_email_notifications'),
    followedWildcards: userSetting(user, 'enable_followed_topic_wildcard_mentions_notify'),
  }
}

/** Uses a client that gets messages. Where nobody's presence is known, having one open is enough. */
function isThere(tx: RealmTransaction, id: number): boolean {
  const activeAt = tx.recall(PRESENCE).of(id)?.activeAt ?? null
  const isActive = activeAt !== null && tx.now - activeAt < IDLE_SECONDS
  if (!isActive && !realmProperty(tx.sql, 'presence_disabled')) return false
  return listMessageQueuesOfUser(tx.sql, id).length > 0
}
