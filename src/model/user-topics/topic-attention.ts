import type { RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { mayAccessChannelMetadata } from '../../rules/channel-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { topicKey } from '../../store/messages/topic-rows.ts'
import { channelsOf } from '../../store/subscriptions/subscriber-rows.ts'
import {
  findSubscription,
  mutedChannelIds,
  type Subscription,
} from '../../store/subscriptions/subscription-rows.ts'
import {
  listUserTopics,
  policiesByTopic,
  TOPIC_POLICY,
  type TopicPolicy,
  type UserTopic,
} from '../../store/user-topics/user-topic-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'

/** A user's policies for topics, read at once for callers that ask about many topics. */
interface TopicAttention {
  policyOf(channelId: number, topic: string): TopicPolicy
  /** Whether the topic is muted, or is in a muted channel and neither unmuted nor followed. */
  isMuted(channelId: number, topic: string): boolean
  /** Whether wildcard mentions there are muted. */
  areWildcardsMuted(channelId: number, topic: string): boolean
}

/** Reads the policies. Source: docs/interface/subscriptions.md#topics; docs/interface/reading.md#unread-messages. */
export function topicAttention(sql: Sql, userId: number): TopicAttention {
  const policies = policiesByTopic(sql, userId)
  const mutedChannels = mutedChannelIds(sql, userId)
  const policyOf = (channelId: number, topic: string) =>
    policies.get(channelId)?.get(topicKey(topic)) ?? TOPIC_POLICY.none
  const isMuted = (channelId: number, topic: string) =>
    isTopicMuted(policyOf(channelId, topic), mutedChannels.has(channelId))
  return {
    policyOf,
    isMuted,
    areWildcardsMuted(channelId, topic) {
      if (!isMuted(channelId, topic)) return false
      const subscription = findSubscription(sql, channelId, userId)
      return !subscription || areWildcardsMuted(policyOf(channelId, topic), subscription)
    },
  }
}

export function isTopicMuted(policy: TopicPolicy, isChannelMuted: boolean): boolean {
  return policy === TOPIC_POLICY.muted || (isChannelMuted && policy === TOPIC_POLICY.none)
}

/**
 * Whether wildcard mentions are muted for a subscriber: the channel's own setting for them wins over the channel's mute, but not over
 * that of the topic. Source: docs/interface/notifications.md#why.
 */
export function areWildcardsMuted(
  policy: TopicPolicy,
  { isMuted, wildcardMentionsNotify }: Pick<Subscription, 'isMuted' | 'wildcardMentionsNotify'>,
): boolean {
  return isTopicMuted(policy, isMuted && wildcardMentionsNotify !== true)
}

/** Returns a function that presents an object of `user_topics`. `shown` returns a topic in the client's form. */
export function userTopicPresenter(shown: (topic: string) => string) {
  return ({ channelId, name, updatedAt, policy }: UserTopic) => ({
    stream_id: channelId,
    topic_name: shown(name),
    last_updated: updatedAt,
    visibility_policy: policy,
  })
}

/** Returns muted topics in the older form, with UNIX seconds, without channels that are archived or that the user cannot see. */
export function mutedTopics(
  { sql, now }: Pick<RealmView, 'sql' | 'now'>,
  user: User,
): [string, string, number][] {
  const actor = actorOf(sql, user, now)
  const own = channelsOf(sql, user.id)
  const muted = listUserTopics(sql, user.id).filter(({ policy }) => policy === TOPIC_POLICY.muted)
  return [...Map.groupBy(muted, ({ channelId }) => channelId)].flatMap(([id, topics]) => {
    const channel = findChannel(sql, id)
    if (!channel || channel.isArchived) return []
    if (!mayAccessChannelMetadata(actor, channel, own.has(id))) return []
    return topics.map(({ name, updatedAt }): [string, string, number] => [channel.name, name, updatedAt])
  })
}
