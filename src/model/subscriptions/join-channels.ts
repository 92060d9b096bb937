import { IdSet } from '../../core/id-set.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import { subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import {
  type BegunSubscription,
  beginSubscriptions,
  colorsUsedBy,
  subscriptionsAmong,
} from '../../store/subscriptions/subscription-rows.ts'
import type { ChannelMembers } from './channel-members.ts'
import { nextColor } from './colors.ts'
import { presentPosition } from './present-subscription.ts'

/** Users to subscribe to a channel; `color` is normalised. */
export interface ChannelToJoin extends ChannelMembers {
  readonly color?: string | undefined
}

/** Subscribes users to one channel, as `joinChannels` does. */
export function joinChannel(
  tx: RealmTransaction,
  channel: Channel,
  userIds: readonly number[],
  color?: string,
): ChannelMembers {
  return joinChannels(tx, [{ channel, userIds, color }])[0]!
}

/**
 * Subscribes users to different channels by one statement, without events. Returns the users who were not subscribed before.
 * Their periods begin after the events emitted so far. Users who come back get their former colour, others the requested
 * one, or an unused one.
 */
export function joinChannels(tx: RealmTransaction, wanted: readonly ChannelToJoin[]): ChannelMembers[] {
  const joined = wanted.map(({ channel, userIds, color }) => {
    const before = subscriptionsAmong(tx.sql, channel.id, userIds)
    const joining = IdSet.of(userIds).andNot(subscribersOf(tx.sql, channel.id)).toArray()
    return { channel, userIds: joining, color, before }
  })
  const choosing = joined.filter(({ color }) => color === undefined)
  const newcomers = choosing.flatMap(({ userIds, before }) => userIds.filter((id) => !before.has(id)))
  const inUse = colorsUsedBy(tx.sql, [...new Set(newcomers)])
  const begun = joined.flatMap(({ channel, userIds, color, before }) =>
    userIds.map((userId): BegunSubscription => {
      const used = inUse.get(userId) ?? []
      const former = before.get(userId)?.color
      const own = former ?? color ?? nextColor(used, channelRecipientId(channel.id))
      if (former === undefined) used.push(own)
      return [channel.id, userId, own, channel.properties.default_push_notifications ? 1 : null]
    }),
  )
  beginSubscriptions(tx.sql, begun, presentPosition(tx))
  return joined
}
