import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Destination } from '../messages/compose.ts'
import type { IndexedMessage } from '../messages/message-rows.ts'
import { type Mentions, NO_MENTIONS } from '../notifications/mentions.ts'
import { isCall } from '../notifications/notification-cause.ts'
import { type Receiver, type ToldMessage, whoIsCalled } from '../notifications/who-is-called.ts'
import { noteMissed } from '../quotas/note-missed.ts'
import { subscriptionsAmong } from '../subscriptions/subscription-rows.ts'
import { listTopicSettings, TOPIC_POLICY } from '../user-topics/user-topic-rows.ts'
import { type Called, insertPushCall } from './push-call-rows.ts'
import { PUSH_LISTENERS, type PushListeners } from './push-listeners.ts'

/** The job that brings to the bouncer whatever is to be brought there. */
export const BRING_PUSHES = 'bring-pushes'

/**
 * Notes that a message that has just been stored is to be told of on devices, if it is for anybody who has
 * one and wants it: one row, however many they are. Whether they have read it meanwhile, or are there, is
 * looked at when it is sent.
 */
export function callDevices(
  tx: RealmTransaction,
  message: ToldMessage,
  messageId: number,
  mentions: Mentions,
): void {
  const listeners = tx.recall(PUSH_LISTENERS)
  if (listeners.size === 0) return
  note(tx, message, messageId, calledOnDevices(tx, listeners, message, mentions))
}

/** What is told on devices of an edit: those whom it has called, and who had not heard of the message. */
export function watchCalled(tx: RealmTransaction, { id }: IndexedMessage) {
  const listeners = tx.recall(PUSH_LISTENERS)
  if (listeners.size === 0) return undefined
  return (edited: ToldMessage, added: Mentions, calledBefore: ReadonlySet<number>): void => {
    const heardBefore = new Set(
      calledOnDevices(tx, listeners, edited, NO_MENTIONS).map(({ userId }) => userId),
    )
    const called = calledOnDevices(tx, listeners, edited, added)
    note(
      tx,
      edited,
      id,
      called.filter(
        ({ userId, cause }) => isCall(cause) && !calledBefore.has(userId) && !heardBefore.has(userId),
      ),
    )
  }
}

function note(
  tx: RealmTransaction,
  message: ToldMessage,
  messageId: number,
  called: readonly Called[],
): void {
  if (called.length === 0) return
  const dropped = insertPushCall(tx.sql, {
    messageId,
    called,
    origin: message.webOrigin,
    eventId: tx.lastEventId(),
    calledAt: tx.now,
  })
  if (dropped > 0) noteMissed(tx, 'Too many notifications wait: the oldest are dropped', {}, dropped)
  tx.schedule({ kind: BRING_PUSHES, key: '', dueAt: tx.now })
}

function calledOnDevices(
  tx: RealmTransaction,
  listeners: PushListeners,
  message: ToldMessage,
  mentions: Mentions,
): Called[] {
  const receivers = receiversWithDevice(tx, listeners, message.destination)
  return whoIsCalled(tx, 'push', message, mentions, receivers, (userId) => listeners.optionsOf(userId)!)
}

function receiversWithDevice(
  tx: RealmTransaction,
  listeners: PushListeners,
  destination: Destination,
): Receiver[] {
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
