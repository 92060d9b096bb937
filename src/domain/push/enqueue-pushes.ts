import { defineReader, type Steps } from '../../core/reader.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { IndexedMessage } from '../messages/message-rows.ts'
import type { Destination } from '../messages/send/compose.ts'
import { isMention } from '../notifications/causes.ts'
import { type Mentions, NO_MENTIONS } from '../notifications/mentions.ts'
import { type NotifiableMessage, notifiableUsers, type Receiver } from '../notifications/notifiable-users.ts'
import { noteMissed } from '../quotas/note-missed.ts'
import { type Subscription, subscriptionsAmong } from '../subscriptions/subscription-rows.ts'
import { followersOf, policiesAmong, TOPIC_POLICY } from '../user-topics/user-topic-rows.ts'
import { insertPendingPush, type NotifiableOnDevices } from './pending-push-rows.ts'
import { PUSH_LISTENERS, type PushListeners } from './push-listeners.ts'

/** The job that delivers pending notifications. */
export const DELIVER_PUSHES = 'deliver-pushes'

/**
 * Enqueues the notifications of a newly stored message, for everybody who has a device and wants them: one
 * row, however many they are. Delivery checks whether they have read the message meanwhile, or are present.
 */
export function enqueuePushes(
  tx: RealmTransaction,
  message: NotifiableMessage,
  messageId: number,
  mentions: Mentions,
): void {
  const listeners = tx.recall(PUSH_LISTENERS)
  if (listeners.size === 0) return
  note(tx, message, messageId, notifiableOnDevices(tx, listeners, message, mentions))
}

/** Notifies the devices of users whom an edit mentions and who were not notified of the message before. */
export function pushAboutEdit(
  tx: RealmTransaction,
  { id }: IndexedMessage,
  edited: NotifiableMessage,
  added: Mentions,
  mentionedBefore: ReadonlySet<number>,
): void {
  const listeners = tx.recall(PUSH_LISTENERS)
  if (listeners.size === 0) return
  const notifiedBefore = new Set(
    notifiableOnDevices(tx, listeners, edited, NO_MENTIONS).map(({ userId }) => userId),
  )
  const notifiable = notifiableOnDevices(tx, listeners, edited, added)
  note(
    tx,
    edited,
    id,
    notifiable.filter(
      ({ userId, cause }) => isMention(cause) && !mentionedBefore.has(userId) && !notifiedBefore.has(userId),
    ),
  )
}

function note(
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
  tx.schedule({ kind: DELIVER_PUSHES, key: '', dueAt: tx.now })
}

function notifiableOnDevices(
  tx: RealmReads,
  listeners: PushListeners,
  message: NotifiableMessage,
  mentions: Mentions,
): NotifiableOnDevices[] {
  const receivers = receiversWithDevice(tx, listeners, message.destination, mentions)
  return notifiableUsers(tx, 'push', message, mentions, receivers, (userId) => listeners.optionsOf(userId)!)
}

/**
 * Returns the receivers with a device whom the message may concern: whoever only reads the channel costs nothing, so that a message costs no
 * more where all of many subscribers have devices.
 */
function receiversWithDevice(
  tx: RealmReads,
  listeners: PushListeners,
  destination: Destination,
  mentions: Mentions,
): Receiver[] {
  if (destination.kind === 'direct') {
    return destination.participants
      .filter(({ id }) => listeners.has(id))
      .map(({ id }) => ({ userId: id, policy: TOPIC_POLICY.none }))
  }
  const { channel, topic } = destination
  const { subscribers, alwaysConcerned } = tx.use(subscribersWithDevice, {
    channelId: channel.id,
    listeners,
  })
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

interface SubscribersWithDevice {
  readonly subscribers: ReadonlyMap<number, Subscription>
  /** Those of them who want to hear of every message of the channel. */
  readonly alwaysConcerned: readonly number[]
}

/** Every message of a channel asks for them. */
const subscribersWithDevice = defineReader({
  name: 'subscribers with a device',
  key: ({ channelId, listeners }: { channelId: number; listeners: PushListeners }) =>
    `${channelId} ${listeners.version}`,
  *read({ sql }, { channelId, listeners }): Steps<SubscribersWithDevice> {
    yield
    const active = [...subscriptionsAmong(sql, channelId, listeners.ids)].filter(
      ([, { isActive }]) => isActive,
    )
    const hearsAll = ([userId, { pushNotifications }]: (typeof active)[number]) =>
      pushNotifications ?? listeners.optionsOf(userId)!.channels
    return {
      subscribers: new Map(active),
      alwaysConcerned: active.filter(hearsAll).map(([userId]) => userId),
    }
  },
})
