import type { RealmReads } from '../../../core/realm-transaction.ts'
import { mayAccessChannelMetadata } from '../../../permissions/channel-rules.ts'
import type { Caller } from '../../caller.ts'
import {
  listSubscriptionsOfUser,
  type Subscription,
  subscriberIdsByChannel,
} from '../../subscriptions/subscription-rows.ts'
import { type Channel, listChannels } from '../channel-rows.ts'
import { type PresentedChannel, presentChannel } from '../read/present-channel.ts'

/** A channel in the form that all its viewers share. */
export interface DescribedChannel {
  readonly channel: Channel
  readonly presented: PresentedChannel
  /** Ids, ascending. */
  readonly subscribers: readonly number[]
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

function describeChannels({ sql }: RealmReads): DescribedChannel[] {
  const subscribers = subscriberIdsByChannel(sql)
  return listChannels(sql).map((channel) => {
    const ids = subscribers.get(channel.id) ?? []
    return {
      channel,
      presented: presentChannel(sql, channel, { subscriberCount: ids.length }),
      subscribers: ids,
    }
  })
}
