import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Composition, Destination } from '../messages/compose.ts'
import { flagBitsByUser } from '../messages/flag-rows.ts'
import { FLAG_BIT, MESSAGE_BIT } from '../messages/message-bits.ts'
import type { IndexedMessage } from '../messages/message-rows.ts'
import type { ReceiverFlags } from '../messages/receiver-flags.ts'
import { noteMissed } from '../quotas/note-missed.ts'
import { type Subscription, subscriptionsAmong } from '../subscriptions/subscription-rows.ts'
import { membersOfGroups } from '../user-groups/group-members.ts'
import { listTopicSettings, TOPIC_POLICY, type TopicPolicy } from '../user-topics/user-topic-rows.ts'
import { type Called, insertPushCall } from './push-call-rows.ts'
import { isCall, pushCause } from './push-cause.ts'
import { PUSH_LISTENERS, type PushListeners } from './push-listeners.ts'

/** The job that brings to the bouncer whatever is to be brought there. */
export const BRING_PUSHES = 'bring-pushes'

/** Whom a message mentions, of those who receive it. */
interface Mentions {
  readonly byName: readonly number[]
  readonly inTopic: readonly number[]
  readonly isChannel: boolean
}

const NOBODY: Mentions = { byName: [], inTopic: [], isChannel: false }

/**
 * Notes that a message that has just been stored is to be told of on devices, if it is for anybody who has
 * one and wants it: one row, however many they are. Whether they have read it meanwhile, or are there, is
 * looked at when it is sent.
 */
export function callDevices(
  tx: RealmTransaction,
  message: Composition,
  messageId: number,
  { personal, common }: ReceiverFlags,
): void {
  const listeners = tx.recall(PUSH_LISTENERS)
  if (listeners.size === 0) return
  note(
    tx,
    message,
    messageId,
    whoIsCalled(tx, listeners, message, {
      byName: personal.mentioned ?? [],
      inTopic: personal.topic_wildcard_mentioned ?? [],
      isChannel: common.includes('stream_wildcard_mentioned'),
    }),
  )
}

/**
 * Watches the mentions of a message that is about to be edited. The result, called afterwards, has those
 * told whom the edit has called and nothing had before.
 */
export function watchMentions(tx: RealmTransaction, message: IndexedMessage): (edited: Composition) => void {
  const listeners = tx.recall(PUSH_LISTENERS)
  if (listeners.size === 0 || message.topicId === 0) return () => {}
  const before = mentionsIn(tx, message)
  return (edited) => {
    const after = mentionsIn(tx, message)
    const isNew = (id: number) => !before.byName.includes(id) && !before.inTopic.includes(id)
    const heardBefore = new Set(whoIsCalled(tx, listeners, edited, NOBODY).map(({ userId }) => userId))
    const called = whoIsCalled(tx, listeners, edited, {
      byName: after.byName.filter(isNew),
      inTopic: after.inTopic.filter(isNew),
      isChannel: edited.rendered.channelWildcard && (message.bits & MESSAGE_BIT.channelWildcard) === 0,
    })
    note(
      tx,
      edited,
      message.id,
      called.filter(({ userId, cause }) => isCall(cause) && isNew(userId) && !heardBefore.has(userId)),
    )
  }
}

function mentionsIn(tx: RealmTransaction, { id }: IndexedMessage): Mentions {
  const rows = [...flagBitsByUser(tx.sql, id)]
  const having = (bit: number) => rows.filter(([, bits]) => (bits & bit) !== 0).map(([userId]) => userId)
  return {
    byName: having(FLAG_BIT.mentioned),
    inTopic: having(FLAG_BIT.topic_wildcard_mentioned),
    isChannel: false,
  }
}

function note(
  tx: RealmTransaction,
  message: Composition,
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

function whoIsCalled(
  tx: RealmTransaction,
  listeners: PushListeners,
  { author, destination, rendered }: Composition,
  mentions: Mentions,
): Called[] {
  const groupOf = groupFinder(tx, rendered)
  return receiversWithDevice(tx, listeners, destination).flatMap(({ userId, subscription, policy }) => {
    if (userId === author.user.id) return []
    const cause = pushCause(listeners.wishesOf(userId)!, {
      isDirect: destination.kind === 'direct',
      isMentioned: mentions.byName.includes(userId),
      isTopicMentioned: mentions.inTopic.includes(userId),
      isChannelMentioned: mentions.isChannel,
      subscription,
      policy,
    })
    return cause ? [{ userId, cause, groupId: cause === 'mention' ? groupOf(userId) : null }] : []
  })
}

interface ReceiverWithDevice {
  readonly userId: number
  readonly subscription?: Subscription
  readonly policy: TopicPolicy
}

function receiversWithDevice(
  tx: RealmTransaction,
  listeners: PushListeners,
  destination: Destination,
): ReceiverWithDevice[] {
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

/** Which group called somebody who is not mentioned by name: the smallest of those mentioned. */
function groupFinder(
  tx: RealmTransaction,
  { mentionedUserIds, mentionedGroupIds }: Composition['rendered'],
): (userId: number) => number | null {
  let groups: { id: number; members: Set<number> }[] | undefined
  return (userId) => {
    if (mentionedGroupIds.length === 0 || mentionedUserIds.includes(userId)) return null
    groups ??= mentionedGroupIds
      .map((id) => ({ id, members: new Set(membersOfGroups(tx.sql, [id], tx.now)) }))
      .sort((a, b) => a.members.size - b.members.size)
    return groups.find(({ members }) => members.has(userId))?.id ?? null
  }
}
