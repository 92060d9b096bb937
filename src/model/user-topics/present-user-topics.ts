import type { RealmView } from '../../core/realm-transaction.ts'
import { mayAccessChannelMetadata } from '../../rules/channel-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { channelsOf } from '../../store/subscriptions/subscriber-rows.ts'
import { listUserTopics, TOPIC_POLICY, type UserTopic } from '../../store/user-topics/user-topic-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'

/**
 * Returns a function that presents an object of `user_topics` (docs/interface/register.md#what-the-snapshot-has).
 * `shown` returns a topic in the client's form.
 */
export function userTopicPresenter(shown: (topic: string) => string) {
  return ({ channelId, name, updatedAt, policy }: UserTopic) => ({
    stream_id: channelId,
    topic_name: shown(name),
    last_updated: updatedAt,
    visibility_policy: policy,
  })
}

/**
 * Returns muted topics in the older form: channel name, topic, time in UNIX seconds. Archived channels are left out, and
 * those that the user cannot see, whose names may have changed.
 */
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
