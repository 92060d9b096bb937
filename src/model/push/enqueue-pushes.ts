import { defineReader, type Steps } from '../../core/reader.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { usersWithKeyedDevices } from '../../store/client-devices/client-device-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { isMention } from '../../store/notifications/causes.ts'
import { insertPendingPush, type NotifiableOnDevices } from '../../store/push/pending-push-rows.ts'
import { usersWithActiveDevices, usersWithWebPush } from '../../store/push/push-device-rows.ts'
import { usersWithKnownTokens } from '../../store/push/push-token-rows.ts'
import { markMessagesStale, markShownStale } from '../../store/push/shown-push-rows.ts'
import { type Subscription, subscriptionsAmong } from '../../store/subscriptions/subscription-rows.ts'
import { followersOf, policiesAmong, TOPIC_POLICY } from '../../store/user-topics/user-topic-rows.ts'
import { blockOfUser } from '../../store/users/account-set-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import { listUsersOfBlock } from '../../store/users/user-block-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import type { Destination } from '../messages/text/compose.ts'
import { type NotifiableMessage, notifiableUsers, type Receiver } from '../notifications/notifiable-users.ts'
import { type Mentions, NO_MENTIONS, type NotificationOptions } from '../notifications/notification-cause.ts'
import { noteMissed } from '../quotas/within-quota.ts'

/** Enqueues a new message's notifications for all users who want them, in one row. Delivery checks whether they are still due. */
export function enqueuePushes(
  tx: RealmTransaction,
  message: NotifiableMessage,
  messageId: number,
  mentions: Mentions,
): void {
  if (listeners(tx).size === 0) return
  enqueue(tx, message, messageId, notifiableOnDevices(tx, message, mentions))
}

/** Enqueues notifications for users whom an edit mentions and who were not notified of the message before. */
export function enqueuePushesOfEdit(
  tx: RealmTransaction,
  { id }: IndexedMessage,
  edited: NotifiableMessage,
  added: Mentions,
  mentionedBefore: ReadonlySet<number>,
): void {
  if (listeners(tx).size === 0) return
  const notifiedBefore = new Set(notifiableOnDevices(tx, edited, NO_MENTIONS).map(({ userId }) => userId))
  const notifiable = notifiableOnDevices(tx, edited, added)
  enqueue(
    tx,
    edited,
    id,
    notifiable.filter(
      ({ userId, cause }) => isMention(cause) && !mentionedBefore.has(userId) && !notifiedBefore.has(userId),
    ),
  )
}

function enqueue(
  tx: RealmTransaction,
  message: NotifiableMessage,
  messageId: number,
  notifiable: readonly NotifiableOnDevices[],
): void {
  if (notifiable.length === 0) return
  const dropped = insertPendingPush(tx.sql, {
    messageId,
    notifiable,
    origin: message.webOrigin,
    eventId: tx.lastEventId(),
    enteredAt: tx.now,
  })
  if (dropped > 0) noteMissed(tx, 'Too many notifications wait: the oldest are dropped', {}, dropped)
  schedule(tx)
}

function notifiableOnDevices(
  tx: RealmReads,
  message: NotifiableMessage,
  mentions: Mentions,
): NotifiableOnDevices[] {
  const receivers = receiversWithDevice(tx, message.destination, mentions)
  return notifiableUsers(tx, 'push', message, mentions, receivers, (userId) => pushOptionsOf(tx, userId))
}

/** Returns the receivers with a device whom the message may concern. Other subscribers cost nothing, however many have devices. */
function receiversWithDevice(tx: RealmReads, destination: Destination, mentions: Mentions): Receiver[] {
  if (destination.kind === 'direct') {
    const withDevice = listeners(tx)
    return destination.participants
      .filter(({ id }) => withDevice.has(id))
      .map(({ id }) => ({ userId: id, policy: TOPIC_POLICY.none }))
  }
  const { channel, topic } = destination
  const { subscribers, alwaysConcerned } = listenersIn(tx, channel.id)
  if (subscribers.size === 0) return []
  const concerned = mentions.isChannel
    ? [...subscribers.keys()]
    : [...mentions.byName, ...mentions.inTopic, ...followersOf(tx.sql, channel.id, topic), ...alwaysConcerned]
  const ids = [...new Set(concerned)].filter((id) => subscribers.has(id))
  const policies = policiesAmong(tx.sql, channel.id, topic, ids)
  return ids.map((userId) => ({
    userId,
    subscription: subscribers.get(userId)!,
    policy: policies.get(userId) ?? TOPIC_POLICY.none,
  }))
}

/** The users with a device that notifications reach; phones are reached through a service. Without any such user, nothing else is read. */
const peopleWithDevice = defineReader({
  name: 'people with a device',
  key: String,
  *read({ sql }, hasService: boolean): Steps<ReadonlySet<number>> {
    const people = new Set<number>()
    const ofPhones = hasService ? [usersWithKnownTokens, usersWithActiveDevices, usersWithKeyedDevices] : []
    for (const list of [usersWithWebPush, ...ofPhones]) {
      for (const id of list(sql)) people.add(id)
      yield
    }
    return people
  },
})

/** The notification settings of the users of a block. */
const optionsInBlock = defineReader({
  name: 'push options in a block',
  key: (block: number) => `${block}`,
  *read({ sql }, block) {
    const users = listUsersOfBlock(sql, block)
    yield
    return new Map(users.map((user) => [user.id, optionsOf(user)]))
  },
})

interface InChannel {
  readonly channelId: number
  readonly hasService: boolean
}

const keyInChannel = ({ channelId, hasService }: InChannel) => `${channelId} ${hasService}`

const subscribersWithDevice = defineReader({
  name: 'subscribers with a device',
  key: keyInChannel,
  *read(store, { channelId, hasService }: InChannel): Steps<ReadonlyMap<number, Subscription>> {
    const people = [...(yield* store.use(peopleWithDevice, hasService))]
    const subscriptions = subscriptionsAmong(store.sql, channelId, people)
    yield
    return new Map([...subscriptions].filter(([, { isActive }]) => isActive))
  },
})

/** The subscribers who are notified of every message of the channel. */
const alwaysConcerned = defineReader({
  name: 'subscribers notified of everything',
  key: keyInChannel,
  *read(store, inChannel: InChannel): Steps<readonly number[]> {
    const concerned: number[] = []
    for (const [userId, { pushNotifications }] of yield* store.use(subscribersWithDevice, inChannel)) {
      const isInherited = pushNotifications === null
      const options = isInherited ? yield* store.use(optionsInBlock, blockOfUser(userId)) : undefined
      if (options?.get(userId)?.channels ?? pushNotifications) concerned.push(userId)
    }
    return concerned
  },
})

function listeners(tx: RealmReads): ReadonlySet<number> {
  return tx.use(peopleWithDevice, tx.sendsPushes())
}

/** Returns the subscribers of a channel with a device, and those of them who want to be notified of everything there. */
function listenersIn(tx: RealmReads, channelId: number) {
  const inChannel = { channelId, hasService: tx.sendsPushes() }
  const subscribers = tx.use(subscribersWithDevice, inChannel)
  return { subscribers, alwaysConcerned: subscribers.size > 0 ? tx.use(alwaysConcerned, inChannel) : [] }
}

function pushOptionsOf(tx: RealmReads, userId: number): NotificationOptions {
  return tx.use(optionsInBlock, blockOfUser(userId)).get(userId)!
}

function optionsOf(user: User): NotificationOptions {
  return {
    personal: userSetting(user, 'enable_offline_push_notifications'),
    channels: userSetting(user, 'enable_stream_push_notifications'),
    wildcards: userSetting(user, 'wildcard_mentions_notify'),
    followedTopics: userSetting(user, 'enable_followed_topic_push_notifications'),
    followedWildcards: userSetting(user, 'enable_followed_topic_wildcard_mentions_notify'),
  }
}

/** Schedules the removal of notifications of messages that the user has read. Source: docs/interface/reading.md#change-flags. */
export function recheckPushesOf(tx: RealmTransaction, userId: number): void {
  if (!listeners(tx).has(userId)) return
  if (markShownStale(tx.sql, userId)) schedule(tx)
}

/** Schedules a check of notifications of deleted, moved or edited messages, which some users may no longer read. */
export function recheckPushes(tx: RealmTransaction, messageIds: readonly number[]): void {
  if (listeners(tx).size === 0) return
  if (markMessagesStale(tx.sql, messageIds)) schedule(tx)
}

function schedule(tx: RealmTransaction): void {
  tx.schedule({ kind: 'deliver-pushes', key: '', dueAt: tx.now })
}
