import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredMutedTopicsEvent } from '../../events/muted-topics.ts'
import { hasQueueForMutedTopics } from '../../events/queue.ts'
import type { StoredUserTopicEvent } from '../../events/user-topic.ts'
import { findUser } from '../users/user-rows.ts'
import { mutedTopics } from './present-user-topics.ts'
import { putUserTopic, type TopicPolicy, topicPolicy } from './user-topic-rows.ts'

export interface TopicSetting {
  readonly userId: number
  readonly channelId: number
  readonly topic: string
  readonly policy: TopicPolicy
}

/**
 * Sets a user's policy for a topic and notifies the user's clients. False, and no event, when it was the same
 * already. Checks no rights. Source: docs/interface/subscriptions.md#topics.
 */
export function setPolicy(tx: RealmTransaction, setting: TopicSetting): boolean {
  const { userId, channelId, topic, policy } = setting
  if (topicPolicy(tx.sql, userId, channelId, topic) === policy) return false
  const updatedAt = Math.floor(tx.now)
  putUserTopic(tx.sql, { userId, channelId, name: topic, policy, updatedAt })
  if (hasQueueForMutedTopics(tx.sql, userId)) {
    // The event has all topics, up to the quota, so it is stored only where somebody gets it.
    const user = findUser(tx.sql, userId)!
    const legacy: StoredMutedTopicsEvent = { type: 'muted_topics', muted_topics: mutedTopics(tx, user) }
    tx.emit(legacy, toUsers(userId))
  }
  const event: StoredUserTopicEvent = {
    type: 'user_topic',
    stream_id: channelId,
    topic_name: topic,
    last_updated: updatedAt,
    visibility_policy: policy,
  }
  tx.emit(event, toUsers(userId))
  return true
}
