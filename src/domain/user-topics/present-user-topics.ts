import type { RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { Actor } from '../../permissions/actor.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import { actorOf } from '../caller.ts'
import { findChannel } from '../channels/channel-rows.ts'
import { isSubscribed } from '../subscriptions/subscription-rows.ts'
import type { User } from '../users/user-rows.ts'
import { listUserTopics, TOPIC_POLICY } from './user-topic-rows.ts'

/**
 * Returns the objects of `user_topics` (docs/interface/register.md#what-the-snapshot-has). `shown` returns a
 * topic in the client's form.
 */
export function presentUserTopics(sql: Sql, userId: number, shown: (topic: string) => string) {
  return listUserTopics(sql, userId).map(({ channelId, name, updatedAt, policy }) => ({
    stream_id: channelId,
    topic_name: shown(name),
    last_updated: updatedAt,
    visibility_policy: policy,
  }))
}

/**
 * Returns muted topics in the older form: channel name, topic, time in UNIX seconds. Archived channels are
 * left out, and those not visible to the user, which may have another name by now.
 */
export function mutedTopics(
  { sql, now }: Pick<RealmView, 'sql' | 'now'>,
  user: User,
): [string, string, number][] {
  const actor = actorOf(sql, user, now)
  // There are many topics in few channels: each channel is read once.
  const names = new Map<number, string | undefined>()
  const nameOf = (channelId: number): string | undefined => {
    if (!names.has(channelId)) names.set(channelId, nameOfVisible(sql, actor, channelId))
    return names.get(channelId)
  }
  return listUserTopics(sql, user.id)
    .filter(({ policy }) => policy === TOPIC_POLICY.muted)
    .flatMap(({ channelId, name, updatedAt }): [string, string, number][] => {
      const channel = nameOf(channelId)
      return channel === undefined ? [] : [[channel, name, updatedAt]]
    })
}

function nameOfVisible(sql: Sql, actor: Actor, channelId: number): string | undefined {
  const channel = findChannel(sql, channelId)
  if (!channel || channel.isArchived) return undefined
  const subscribed = isSubscribed(sql, channelId, actor.id)
  return mayAccessChannelMetadata(actor, channel, subscribed) ? channel.name : undefined
}
