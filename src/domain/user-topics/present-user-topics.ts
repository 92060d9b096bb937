import type { RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import { actorOf } from '../caller.ts'
import { findChannel } from '../channels/channel-rows.ts'
import { isSubscribed } from '../subscriptions/subscription-rows.ts'
import type { User } from '../users/user-rows.ts'
import { listUserTopics, TOPIC_POLICY } from './user-topic-rows.ts'

/** The objects of `user_topics` (docs/interface/register.md#what-the-snapshot-has). `shown` gives a topic as the client knows it. */
export function presentUserTopics(sql: Sql, userId: number, shown: (topic: string) => string) {
  return listUserTopics(sql, userId).map(({ channelId, name, updatedAt, policy }) => ({
    stream_id: channelId,
    topic_name: shown(name),
    last_updated: updatedAt,
    visibility_policy: policy,
  }))
}

/**
 * Muted topics in the older form: channel name, topic, time in UNIX seconds. Archived channels are left out,
 * and those that are not visible to the user: they may have another name by now.
 */
export function mutedTopics(
  { sql, now }: Pick<RealmView, 'sql' | 'now'>,
  user: User,
): [string, string, number][] {
  const actor = actorOf(sql, user, now)
  return listUserTopics(sql, user.id)
    .filter(({ policy }) => policy === TOPIC_POLICY.muted)
    .flatMap(({ channelId, name, updatedAt }): [string, string, number][] => {
      const channel = findChannel(sql, channelId)
      if (!channel || channel.isArchived) return []
      const subscribed = isSubscribed(sql, channelId, user.id)
      return mayAccessChannelMetadata(actor, channel, subscribed) ? [[channel.name, name, updatedAt]] : []
    })
}
