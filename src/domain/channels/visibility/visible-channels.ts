import type { RealmReads } from '../../../core/realm-transaction.ts'
import { mayAccessChannelMetadata } from '../../../permissions/channel-rules.ts'
import type { Caller } from '../../caller.ts'
import {
  countSubscribersByChannel,
  listSubscriptionsOfUser,
  type Subscription,
  subscriberIdsOf,
} from '../../subscriptions/subscription-rows.ts'
import { type Channel, listChannels } from '../channel-rows.ts'
import { type PresentedChannel, presentChannel } from '../read/present-channel.ts'

/** A channel in the form that all its viewers share. */
export interface DescribedChannel {
  readonly channel: Channel
  readonly presented: PresentedChannel
}

export interface VisibleChannel extends DescribedChannel {
  /** The caller's own subscription, past ones included. */
  readonly subscription: Subscription | undefined
}

/** Lists every channel whose metadata the caller may see, archived ones included, by name. */
export function visibleChannels(tx: RealmReads, { user, actor }: Caller): VisibleChannel[] {
  const own = new Map(listSubscriptionsOfUser(tx.sql, user.id).map((one) => [one.channelId, one]))
  return describedChannels(tx)
    .filter(({ channel }) => mayAccessChannelMetadata(actor, channel, own.get(channel.id)?.isActive ?? false))
    .map((described) => ({ ...described, subscription: own.get(described.channel.id) }))
}

/** Lists every channel, by name, regardless of who may see it: made once for many readers. */
export function describedChannels(tx: RealmReads): readonly DescribedChannel[] {
  return tx.remember('channels', () => describeChannels(tx))
}

/** Number of channels whose subscribers are read each time that somebody asks for them. */
const FEW_CHANNELS = 50

/** Returns the subscribers of these channels, ascending, and perhaps of others: those of all are made once for the few who ask for many. */
export function subscribersOfChannels(
  tx: RealmReads,
  channelIds: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  if (channelIds.length <= FEW_CHANNELS) return subscriberIdsOf(tx.sql, channelIds)
  return tx.remember('subscribers of channels', () =>
    subscriberIdsOf(
      tx.sql,
      listChannels(tx.sql).map(({ id }) => id),
    ),
  )
}

function describeChannels({ sql }: RealmReads): DescribedChannel[] {
  const counts = countSubscribersByChannel(sql)
  return listChannels(sql).map((channel) => ({
    channel,
    presented: presentChannel(sql, channel, { subscriberCount: counts.get(channel.id) ?? 0 }),
  }))
}
