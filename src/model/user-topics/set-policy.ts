import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredMutedTopicsEvent, StoredUserTopicEvent } from '../../events/personal.ts'
import { hasQueueForMutedTopics, usersWithQueueForMutedTopics } from '../../events/queue.ts'
import {
  followTopicForUsers,
  putUserTopic,
  TOPIC_POLICY,
  type TopicPolicy,
  topicPolicy,
  usersWhoMute,
} from '../../store/user-topics/user-topic-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { mutedTopics } from './topic-attention.ts'

/**
 * Limit of the texts in an event of the older form, in characters: an event is one row, of at most 2 MB. The few clients
 * that get this form see a longer list when they register again.
 */
const MUTED_IN_EVENT = 300_000

export interface TopicKey {
  readonly channelId: number
  readonly topic: string
}

interface TopicSetting extends TopicKey {
  readonly userId: number
  readonly policy: TopicPolicy
  /** UNIX seconds; the present if absent. */
  readonly updatedAt?: number
}

/** Sets a user's policy for a topic and notifies the user's clients. Returns false, without an event, when nothing changes. */
export function setPolicy(tx: RealmTransaction, setting: TopicSetting): boolean {
  const { userId, channelId, topic, policy, updatedAt = tx.now } = setting
  if (topicPolicy(tx.sql, userId, channelId, topic) === policy) return false
  putUserTopic(tx.sql, { userId, channelId, name: topic, policy, updatedAt })
  // The event has all topics, so it is stored only if a queue gets it.
  if (hasQueueForMutedTopics(tx.sql, userId)) emitMuted(tx, userId)
  emitPolicy(tx, setting, [userId])
  return true
}

/** Follows a topic for users who do not follow it yet, as `setPolicy` does: there may be hundreds, who share one statement and one event. */
export function followTogether(tx: RealmTransaction, topic: TopicKey, userIds: readonly number[]): void {
  if (userIds.length === 0) return
  followTopicForUsers(tx.sql, { ...topic, updatedAt: tx.now }, userIds)
  const older = usersWithQueueForMutedTopics(tx.sql, userIds)
  const muting = new Set(usersWhoMute(tx.sql, older))
  const others = older.filter((id) => !muting.has(id))
  const nothing: StoredMutedTopicsEvent = { type: 'muted_topics', muted_topics: [] }
  if (others.length > 0) tx.emit(nothing, { users: others })
  for (const id of muting) emitMuted(tx, id)
  emitPolicy(tx, { ...topic, policy: TOPIC_POLICY.followed }, userIds)
}

/** Sends a user's clients the event of the older form. */
function emitMuted(tx: RealmTransaction, userId: number): void {
  const muted = mutedTopics(tx, findUser(tx.sql, userId)!)
  const length = muted.reduce((sum, [channel, name]) => sum + channel.length + name.length, 0)
  const legacy: StoredMutedTopicsEvent = { type: 'muted_topics', muted_topics: muted }
  if (length <= MUTED_IN_EVENT) tx.emit(legacy, toUsers(userId))
}

/** Notifies the clients of these users of the policy that all of them have now. */
export function emitPolicy(
  tx: RealmTransaction,
  { channelId, topic, policy }: Omit<TopicSetting, 'userId'>,
  userIds: readonly number[],
): void {
  const event: StoredUserTopicEvent = {
    type: 'user_topic',
    stream_id: channelId,
    topic_name: topic,
    last_updated: Math.floor(tx.now),
    visibility_policy: policy,
  }
  tx.emit(event, { users: userIds })
}
