import type { MemorySlot, RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { listMessageQueuesOfUser } from '../../events/queue.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import {
  addMissedMessage,
  findNotificationBatch,
  listenersOf,
  type MentionedCrowd,
  type NotifiableSubscribers,
  putNotificationBatch,
  type RemainingUsers,
  shiftMissedMail,
} from '../../store/missed-messages/missed-mail-rows.ts'
import { usersWhoMuted } from '../../store/muted-users/muted-user-rows.ts'
import { isMention, type NotifiableUser } from '../../store/notifications/causes.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { openSubscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { subscriptionsAmong } from '../../store/subscriptions/subscription-rows.ts'
import { followersOf, policiesAmong, TOPIC_POLICY } from '../../store/user-topics/user-topic-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import { findUsers, type User } from '../../store/users/user-rows.ts'
import {
  getsMail,
  isWelcome,
  type NotifiableMessage,
  notifiableUsers,
  type Receiver,
} from '../notifications/notifiable-users.ts'
import { type Mentions, NO_MENTIONS, type NotificationOptions } from '../notifications/notification-cause.ts'
import { PRESENCE } from '../presence/presence-memory.ts'

/**
 * Number of users for whom a message is entered in the commit that stores it, or in one turn of the job; and number of
 * subscribers, mentioned people or followers of the topic who are checked there.
 */
export const ENTERED_AT_ONCE = 300
/** Seconds after their last activity for which a user counts as present (docs/interface/conventions.md#limits). */
export const IDLE_SECONDS = 200

/** Whether mail can be sent, as far as known since the object woke. While it cannot, no missed messages are entered. */
export const MAIL_OUTLET: MemorySlot<{ isMissing: boolean }> = {
  name: 'mail-outlet',
  load: () => ({ isMissing: false }),
}

/**
 * Enters a new message for mail to users who are away and want it: a row for each of them. Present users get it in an open
 * client; if that client ends without getting it, the message is checked again (insert-notification-batch.ts). Source:
 * docs/interface/notifications.md#why; docs/interface/notifications.md#when.
 */
export function mailAbout(
  tx: RealmTransaction,
  message: NotifiableMessage,
  messageId: number,
  mentions: Mentions,
  arrivesUnread: (userId: number) => boolean,
): void {
  if (tx.recall(MAIL_OUTLET).isMissing || isWelcome(message.author.user)) return
  const interested = interestedUsers(tx.sql, message)
  const isCrowd = interested.length > ENTERED_AT_ONCE
  const found = notifiableByMail(tx, message, mentions, isCrowd ? [] : interested)
  note(tx, message, messageId, {
    notifiable: found.notifiable.filter(({ userId }) => arrivesUnread(userId)),
    subscribers: found.subscribers,
    mentioned: found.mentioned && among(found.mentioned, arrivesUnread),
    users: found.users,
    interested: isCrowd
      ? { after: 0, except: [message.author.user.id, ...mentions.byName, ...mentions.inTopic] }
      : undefined,
  })
}

/** Enters an edited message for mail to users whom the edit mentions and who have not been notified of it before. */
export function mailAboutEdit(
  tx: RealmTransaction,
  { id, senderId }: IndexedMessage,
  edited: NotifiableMessage,
  added: Mentions,
  mentionedBefore: ReadonlySet<number>,
): void {
  if (tx.recall(MAIL_OUTLET).isMissing) return
  if (added.byName.length + added.inTopic.length === 0 && !added.isChannel) return
  const { notifiable, subscribers, mentioned, users } = notifiableByMail(tx, edited, added, [])
  const concerned = [...notifiable.map(({ userId }) => userId), ...(mentioned?.userIds ?? [])]
  // No others were notified without a mention, and a mentioned group may have thousands of members to look up.
  const interested = new Set(interestedUsers(tx.sql, edited))
  const both = concerned.filter((userId) => interested.has(userId))
  const before = notifiableByMail(tx, edited, NO_MENTIONS, both)
  const notifiedBefore = new Set(before.notifiable.map(({ userId }) => userId))
  const deaf = new Set(usersWhoMuted(tx.sql, senderId))
  const isNew = (userId: number) =>
    !mentionedBefore.has(userId) && userId !== senderId && !notifiedBefore.has(userId) && !deaf.has(userId)
  note(tx, edited, id, {
    notifiable: notifiable.filter(({ userId, cause }) => isMention(cause) && isNew(userId)),
    subscribers: subscribers && {
      ...subscribers,
      except: [...subscribers.except, ...mentionedBefore],
      byEdit: true,
    },
    mentioned: mentioned && among(mentioned, isNew),
    users,
    interested: undefined,
  })
}

function note(
  tx: RealmTransaction,
  { webOrigin: origin }: NotifiableMessage,
  messageId: number,
  { notifiable: all, subscribers, mentioned, users, interested }: Notifiable,
): void {
  const missed = { messageId, origin, enteredAt: tx.now }
  const notifiable = whoIsAway(tx, all)
  const now = notifiable.length <= ENTERED_AT_ONCE ? notifiable : []
  enter(tx, missed, now, users)
  if (now.length === notifiable.length && !subscribers && !mentioned && !interested) return
  const before = findNotificationBatch(tx.sql, messageId)
  putNotificationBatch(tx.sql, {
    ...missed,
    notifiable: [...(before?.notifiable ?? []), ...(now.length === 0 ? notifiable : [])],
    subscribers: subscribers ?? before?.subscribers,
    mentioned: together(before?.mentioned, mentioned),
    interested: interested ?? before?.interested,
  })
  tx.schedule({ kind: 'enter-missed', key: '', dueAt: tx.now })
}

function among(crowd: MentionedCrowd, isWanted: (userId: number) => boolean): MentionedCrowd {
  return { ...crowd, userIds: crowd.userIds.filter(isWanted) }
}

/** Joins the users whom a message mentioned when it was sent and those whom an edit has added. */
function together(
  before: MentionedCrowd | undefined,
  added: MentionedCrowd | undefined,
): MentionedCrowd | undefined {
  if (!before || !added) return before ?? added
  return { ...added, userIds: [...before.userIds, ...added.userIds] }
}

/** Returns the users who use no client that gets messages. */
export function whoIsAway<Notifiable extends { readonly userId: number }>(
  tx: RealmReads,
  notifiable: readonly Notifiable[],
): Notifiable[] {
  return notifiable.filter(({ userId }) => !isThere(tx, userId))
}

/** Enters a message for users' mail after their chosen waiting times. `known`: these users and maybe others, if already read. */
export function enter(
  tx: RealmTransaction,
  { messageId, origin, enteredAt }: { messageId: number; origin: string; enteredAt: number },
  notifiable: readonly NotifiableUser[],
  known?: ReadonlyMap<number, User>,
): void {
  if (notifiable.length === 0) return
  const userIds = notifiable.map(({ userId }) => userId)
  const users = known ?? findUsers(tx.sql, userIds)
  let firstAt = Number.POSITIVE_INFINITY
  for (const { userId, cause, groupId } of notifiable) {
    const dueAt = enteredAt + userSetting(users.get(userId)!, 'email_notifications_batching_period_seconds')
    addMissedMessage(tx.sql, userId, { messageId, cause, groupId, enteredAt }, { origin, dueAt })
    firstAt = Math.min(firstAt, dueAt)
  }
  tx.schedule({ kind: 'send-emails', key: '', dueAt: firstAt })
}

/** Shifts a user's pending mail by this number of seconds, after a change of their waiting time. */
export function retimeMissedMail(tx: RealmTransaction, { id }: User, seconds: number): void {
  const dueAt = shiftMissedMail(tx.sql, id, seconds)
  if (dueAt !== undefined) tx.schedule({ kind: 'send-emails', key: '', dueAt })
}

interface NotifiableByMail {
  readonly notifiable: readonly NotifiableUser[]
  /** These users, and perhaps others. */
  readonly users: ReadonlyMap<number, User>
  /** Subscribers of a mentioned channel, if they are so many that they are checked in separate turns. */
  readonly subscribers: NotifiableSubscribers | undefined
  /** The mentioned people, if they are very many; then they are not in `notifiable`. */
  readonly mentioned: MentionedCrowd | undefined
}

interface Notifiable extends NotifiableByMail {
  /** Users who may want mail without a mention, if they are so many that they are checked in separate turns. */
  readonly interested: RemainingUsers | undefined
}

/** Returns users who may want mail about a channel message without a mention: followers of its topic, and those who want every message. */
function interestedUsers(sql: Sql, { destination }: NotifiableMessage): readonly number[] {
  if (destination.kind === 'direct') return []
  const { channel, topic } = destination
  return interestedIn(sql, channel.id, topic)
}

/** Returns the same for a topic; some users may be listed twice. */
export function interestedIn(sql: Sql, channelId: number, topic: string): readonly number[] {
  return [...followersOf(sql, channelId, topic), ...listenersOf(sql, channelId)]
}

/** Returns the users who get mail, of the mentioned ones and those in `interested`. */
function notifiableByMail(
  tx: RealmReads,
  message: NotifiableMessage,
  mentions: Mentions,
  interested: readonly number[],
): NotifiableByMail {
  const { destination, author, rendered } = message
  const isChannelACrowd = mentions.isChannel && isCrowded(tx.sql, message)
  const isCrowdMentioned = destination.kind === 'channel' && mentions.byName.length > ENTERED_AT_ONCE
  const except = [author.user.id, ...(isCrowdMentioned ? mentions.byName : [])]
  const receivers = receiversOfMail(tx, message, mentions, { interested, except, isChannelACrowd })
  const ids = receivers.map(({ userId }) => userId)
  const crowds = {
    subscribers: isChannelACrowd ? { after: 0, except: [...except, ...ids] } : undefined,
    mentioned: isCrowdMentioned
      ? {
          userIds: mentions.byName.filter((id) => id !== author.user.id),
          byName: rendered.mentionedUserIds,
          groupIds: rendered.mentionedGroupIds,
        }
      : undefined,
  }
  if (receivers.length === 0) return { notifiable: [], users: new Map(), ...crowds }
  const users = destination.kind === 'direct' ? byId(destination.participants) : findUsers(tx.sql, ids)
  const people = receivers.filter(({ userId }) => getsMail(users.get(userId)))
  const optionsOf = (userId: number) => mailOptionsOf(users.get(userId)!)
  return { notifiable: notifiableUsers(tx, 'mail', message, mentions, people, optionsOf), users, ...crowds }
}

function byId(users: readonly User[]): ReadonlyMap<number, User> {
  return new Map(users.map((user) => [user.id, user]))
}

/** Whether the channel has more subscribers than one commit checks. */
function isCrowded(sql: Sql, { destination }: NotifiableMessage): boolean {
  if (destination.kind === 'direct') return false
  return openSubscribersOf(sql, destination.channel.id).size > ENTERED_AT_ONCE
}

/** Returns the receivers who may want mail about a message: not the many who only read the channel, nor crowds. */
function receiversOfMail(
  tx: RealmReads,
  { destination }: NotifiableMessage,
  mentions: Mentions,
  {
    interested,
    except,
    isChannelACrowd,
  }: {
    readonly interested: readonly number[]
    readonly except: readonly number[]
    readonly isChannelACrowd: boolean
  },
): Receiver[] {
  const isLeftOut = new Set(except)
  if (destination.kind === 'direct') {
    return destination.participants
      .filter(({ id }) => !isLeftOut.has(id))
      .map(({ id }) => ({ userId: id, policy: TOPIC_POLICY.none }))
  }
  const { channel, topic } = destination
  const concerned = [
    ...mentions.byName,
    ...mentions.inTopic,
    ...(mentions.isChannel && !isChannelACrowd ? openSubscribersOf(tx.sql, channel.id) : []),
    ...interested,
  ]
  const ids = [...new Set(concerned)].filter((id) => !isLeftOut.has(id))
  if (ids.length === 0) return []
  const policies = policiesAmong(tx.sql, channel.id, topic, ids)
  return [...subscriptionsAmong(tx.sql, channel.id, ids).values()]
    .filter(({ isActive }) => isActive)
    .map((subscription) => ({
      userId: subscription.userId,
      subscription,
      policy: policies.get(subscription.userId) ?? TOPIC_POLICY.none,
    }))
}

export function mailOptionsOf(user: User): NotificationOptions {
  return {
    personal: userSetting(user, 'enable_offline_email_notifications'),
    channels: userSetting(user, 'enable_stream_email_notifications'),
    wildcards: userSetting(user, 'wildcard_mentions_notify'),
    followedTopics: userSetting(user, 'enable_followed_topic_email_notifications'),
    followedWildcards: userSetting(user, 'enable_followed_topic_wildcard_mentions_notify'),
  }
}

/** Whether a user is using a client that gets messages. If presence is off, an open client is enough. */
function isThere(tx: RealmReads, id: number): boolean {
  const activeAt = tx.recall(PRESENCE).of(id)?.activeAt ?? null
  const isActive = activeAt !== null && tx.now - activeAt < IDLE_SECONDS
  if (!isActive && !realmProperty(tx.sql, 'presence_disabled')) return false
  return listMessageQueuesOfUser(tx.sql, id).length > 0
}
