import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { isMention } from '../../store/notifications/causes.ts'
import { insertPendingPush, type NotifiableOnDevices } from '../../store/push/pending-push-rows.ts'
import { followersOf, policiesAmong, TOPIC_POLICY } from '../../store/user-topics/user-topic-rows.ts'
import type { Destination } from '../messages/send/compose.ts'
import { type Mentions, NO_MENTIONS } from '../notifications/mentions.ts'
import { type NotifiableMessage, notifiableUsers, type Receiver } from '../notifications/notifiable-users.ts'
import { noteMissed } from '../quotas/note-missed.ts'
import { listeners, listenersIn, pushOptionsOf } from './push-listeners.ts'

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
  if (listeners(tx).size === 0) return
  note(tx, message, messageId, notifiableOnDevices(tx, message, mentions))
}

/** Notifies the devices of users whom an edit mentions and who were not notified of the message before. */
export function pushAboutEdit(
  tx: RealmTransaction,
  { id }: IndexedMessage,
  edited: NotifiableMessage,
  added: Mentions,
  mentionedBefore: ReadonlySet<number>,
): void {
  if (listeners(tx).size === 0) return
  const notifiedBefore = new Set(notifiableOnDevices(tx, edited, NO_MENTIONS).map(({ userId }) => userId))
  const notifiable = notifiableOnDevices(tx, edited, added)
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
  message: NotifiableMessage,
  mentions: Mentions,
): NotifiableOnDevices[] {
  const receivers = receiversWithDevice(tx, message.destination, mentions)
  return notifiableUsers(tx, 'push', message, mentions, receivers, (userId) => pushOptionsOf(tx, userId))
}

/**
 * Returns the receivers with a device whom the message may concern. Users who only read the channel cost nothing, so
 * that a message costs no more when all of many subscribers have devices.
 */
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
