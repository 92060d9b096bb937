import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { IndexedMessage } from '../messages/message-rows.ts'
import type { Destination } from '../messages/send/compose.ts'
import { isMention } from '../notifications/causes.ts'
import { type Mentions, NO_MENTIONS } from '../notifications/mentions.ts'
import { type NotifiableMessage, notifiableUsers, type Receiver } from '../notifications/notifiable-users.ts'
import { noteMissed } from '../quotas/note-missed.ts'
import { subscriptionsAmong } from '../subscriptions/subscription-rows.ts'
import { listTopicSettings, TOPIC_POLICY } from '../user-topics/user-topic-rows.ts'
import { insertPendingPush, type NotifiableOnDevices } from './pending-push-rows.ts'
import { PUSH_LISTENERS, type PushListeners } from './push-listeners.ts'

/** The job that delivers pending notifications. Organizations have stored this name. */
export const DELIVER_PUSHES = 'bring-pushes'

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
  const receivers = receiversWithDevice(tx, listeners, message.destination)
  return notifiableUsers(tx, 'push', message, mentions, receivers, (userId) => listeners.optionsOf(userId)!)
}

function receiversWithDevice(tx: RealmReads, listeners: PushListeners, destination: Destination): Receiver[] {
  if (destination.kind === 'direct') {
    return destination.participants
      .filter(({ id }) => listeners.has(id))
      .map(({ id }) => ({ userId: id, policy: TOPIC_POLICY.none }))
  }
  const { channel, topic } = destination
  const subscribers = tx.remember(`push-subscribers:${channel.id}`, () =>
    [...subscriptionsAmong(tx.sql, channel.id, listeners.ids).values()].filter(({ isActive }) => isActive),
  )
  if (subscribers.length === 0) return []
  const policies = new Map(
    listTopicSettings(tx.sql, channel.id, topic).map(({ userId, policy }) => [userId, policy]),
  )
  return subscribers.map((subscription) => ({
    userId: subscription.userId,
    subscription,
    policy: policies.get(subscription.userId) ?? TOPIC_POLICY.none,
  }))
}
