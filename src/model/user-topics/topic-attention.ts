import type { Sql } from '../../core/sql.ts'
import { topicKey } from '../../store/messages/topic-rows.ts'
import { mutedChannelIds } from '../../store/subscriptions/subscription-rows.ts'
import { policiesByTopic, TOPIC_POLICY, type TopicPolicy } from '../../store/user-topics/user-topic-rows.ts'

/** A user's policies for topics, read at once for callers that ask about many topics. */
export interface TopicAttention {
  policyOf(channelId: number, topic: string): TopicPolicy
  /** Whether the topic is muted, or is in a muted channel and neither unmuted nor followed. */
  isMuted(channelId: number, topic: string): boolean
}

/** Reads the policies. Source: docs/interface/subscriptions.md#topics; docs/interface/reading.md#unread-messages. */
export function topicAttention(sql: Sql, userId: number): TopicAttention {
  const policies = policiesByTopic(sql, userId)
  const mutedChannels = mutedChannelIds(sql, userId)
  const policyOf = (channelId: number, topic: string) =>
    policies.get(channelId)?.get(topicKey(topic)) ?? TOPIC_POLICY.none
  return {
    policyOf,
    isMuted: (channelId, topic) => isTopicMuted(policyOf(channelId, topic), mutedChannels.has(channelId)),
  }
}

export function isTopicMuted(policy: TopicPolicy, isChannelMuted: boolean): boolean {
  return policy === TOPIC_POLICY.muted || (isChannelMuted && policy === TOPIC_POLICY.none)
}
