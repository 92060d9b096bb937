import type { RealmView } from '../../core/realm-transaction.ts'
import type { Actor } from '../../rules/access.ts'
import { mayAccessChannelMetadata } from '../../rules/channel-rules.ts'
import { type Channel, findChannel } from '../../store/channels/channel-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { listUserTopics, TOPIC_POLICY, type UserTopic } from '../../store/user-topics/user-topic-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'

/**
 * Returns a function that presents an object of `user_topics` (docs/interface/register.md#what-the-snapshot-has). `shown` returns a
 * topic in the client's form.
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
    if (!names.has(channelId)) {
      const isIn = isSubscribed(sql, channelId, actor.id)
      names.set(channelId, nameOfVisible(actor, findChannel(sql, channelId), isIn))
    }
    return names.get(channelId)
  }
  return mutedAmong(listUserTopics(sql, user.id), nameOf)
}

/** Returns the settings that mute, in the older form. `nameOf`: the name of a channel that is not left out. */
export function mutedAmong(
  settings: readonly UserTopic[],
  nameOf: (channelId: number) => string | undefined,
): [string, string, number][] {
  return settings
    .filter(({ policy }) => policy === TOPIC_POLICY.muted)
    .flatMap(({ channelId, name, updatedAt }): [string, string, number][] => {
      const channel = nameOf(channelId)
      return channel === undefined ? [] : [[channel, name, updatedAt]]
    })
}

/** Returns the channel's name where it is not archived, and visible to the actor. */
export function nameOfVisible(
  actor: Actor,
  channel: Channel | undefined,
  subscribed: boolean,
): string | undefined {
  if (!channel || channel.isArchived) return undefined
  return mayAccessChannelMetadata(actor, channel, subscribed) ? channel.name : undefined
}
