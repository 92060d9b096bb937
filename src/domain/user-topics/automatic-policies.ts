import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { hasReceivedInTopic } from '../messages/flags/received-message-rows.ts'
import type { IndexedMessage } from '../messages/message-rows.ts'
import type { Composition } from '../messages/send/compose.ts'
import { topicOfMessage } from '../messages/topic-of-message.ts'
import { findTopic } from '../messages/topic-rows.ts'
import { accountsWithRoom, hasRoom } from '../quotas/within-quota.ts'
import { findSubscription, subscribersAmong } from '../subscriptions/subscription-rows.ts'
import { userSetting } from '../users/settings/user-setting-rows.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import { followTogether, setPolicy } from './set-policy.ts'
import { policiesAmong, TOPIC_POLICY, type TopicPolicy, topicPolicy } from './user-topic-rows.ts'

/** Values of `automatically_follow_topics_policy` and the like: which action follows a topic. */
const ON = { participation: 1, send: 2, initiation: 3 } as const
type Occasion = keyof typeof ON

/** Facts about a message that is sent, read before it is stored. */
export interface SendOccasion {
  /** Whether the topic had no message that the sender can see. */
  readonly isInitiation: boolean
}

/** Returns the occasion of a message. Source: docs/interface/messages.md#send-a-message. */
export function occasionOfSend(sql: Sql, { author, destination }: Composition): SendOccasion {
  if (destination.kind === 'direct') return { isInitiation: false }
  const { channel, topic } = destination
  const { user } = author
  // A policy that was set is not changed by having started the topic (`applyOccasions`).
  if (topicPolicy(sql, user.id, channel.id, topic) !== TOPIC_POLICY.none) return { isInitiation: false }
  const known = findTopic(sql, channel.id, topic)
  return {
    isInitiation:
      known === undefined || !hasReceivedInTopic(sql, known, user.id, channel.historyPublicToSubscribers),
  }
}

/**
 * Follows or unmutes the topic for its sender, by the sender's settings, and follows it for users whom the
 * message mentions by name. Returns the sender's new policy, if it changed. Source:
 * docs/interface/messages.md#send-a-message.
 */
export function followAfterSend(
  tx: RealmTransaction,
  message: Composition,
  { isInitiation }: SendOccasion,
): TopicPolicy | undefined {
  const { author, destination } = message
  if (destination.kind === 'direct') return undefined
  const key = { channelId: destination.channel.id, topic: destination.topic }
  const occasions: Occasion[] = isInitiation
    ? ['participation', 'send', 'initiation']
    : ['participation', 'send']
  const policy = applyOccasions(tx, author.user, key, occasions)
  followForMentioned(tx, message, key)
  return policy
}

/**
 * Follows the topic after a reaction, which counts as participation
 * (docs/interface/messages.md#send-a-message).
 */
export function followAfterReaction(
  tx: RealmTransaction,
  { user }: { readonly user: User },
  message: Pick<IndexedMessage, 'id' | 'topicId' | 'topicSpelling' | 'moveId' | 'recipientId'>,
): void {
  const topic = topicOfMessage(tx.sql, message)
  if (!topic) return
  applyOccasions(tx, user, { channelId: recipientOf(message.recipientId).id, topic: topic.name }, [
    'participation',
  ])
}

interface TopicKey {
  readonly channelId: number
  readonly topic: string
}

function applyOccasions(
  tx: RealmTransaction,
  user: User,
  { channelId, topic }: TopicKey,
  occasions: readonly Occasion[],
): TopicPolicy | undefined {
  if (user.botType !== null) return undefined
  const present = topicPolicy(tx.sql, user.id, channelId, topic)
  if (present === TOPIC_POLICY.followed) return undefined
  // Having started the topic does not override an existing policy.
  const counted = present === TOPIC_POLICY.none ? occasions : occasions.filter((one) => one !== 'initiation')
  const policy = policyFor(tx.sql, user, channelId, counted)
  if (policy === undefined || policy === present) return undefined
  if (present === TOPIC_POLICY.none && !hasRoom(tx, 'topicSettings', user.id)) return undefined
  setPolicy(tx, { userId: user.id, channelId, topic, policy })
  return policy
}

/** Following takes precedence; unmuting is only useful in a muted channel. */
function policyFor(
  sql: Sql,
  user: User,
  channelId: number,
  occasions: readonly Occasion[],
): TopicPolicy | undefined {
  const asks = (wanted: number) => occasions.some((occasion) => ON[occasion] === wanted)
  if (asks(userSetting(user, 'automatically_follow_topics_policy'))) return TOPIC_POLICY.followed
  if (!asks(userSetting(user, 'automatically_unmute_topics_in_muted_streams_policy'))) return undefined
  const subscription = findSubscription(sql, channelId, user.id)
  return subscription?.isActive && subscription.isMuted ? TOPIC_POLICY.unmuted : undefined
}

/** One message may mention hundreds, so each fact of them is read by one statement. */
function followForMentioned(tx: RealmTransaction, { rendered }: Composition, key: TopicKey): void {
  if (rendered.mentionedUserIds.length === 0) return
  const willing = [...findUsers(tx.sql, rendered.mentionedUserIds).values()]
    .filter(({ botType, isActive }) => botType === null && isActive)
    .filter((user) => userSetting(user, 'automatically_follow_topics_where_mentioned'))
    .map(({ id }) => id)
  if (willing.length === 0) return
  const subscribers = subscribersAmong(tx.sql, key.channelId, willing)
  const ids = willing.filter((id) => subscribers.has(id)).sort((a, b) => a - b)
  const policies = policiesAmong(tx.sql, key.channelId, key.topic, ids)
  const presentOf = (id: number) => policies.get(id) ?? TOPIC_POLICY.none
  // Only a new setting needs room.
  const newcomers = ids.filter((id) => presentOf(id) === TOPIC_POLICY.none)
  const withRoom = new Set(accountsWithRoom(tx, 'topicSettings', newcomers))
  followTogether(
    tx,
    key,
    ids.filter((id) => presentOf(id) === TOPIC_POLICY.unmuted || withRoom.has(id)),
  )
}
