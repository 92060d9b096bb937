import type { RealmView } from '../../core/realm-transaction.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import type { Caller } from '../caller.ts'
import {
  listSubscriptionsOfUser,
  type Subscription,
  subscriberIdsByChannel,
} from '../subscriptions/subscription-rows.ts'
import { type Channel, listChannels } from './channel-rows.ts'
import { type PresentedChannel, presentChannel } from './present-channel.ts'

export interface VisibleChannel {
  readonly channel: Channel
  readonly presented: PresentedChannel
  /** The caller's own, past ones included. */
  readonly subscription: Subscription | undefined
  readonly subscribers: readonly number[]
}

/** Every channel whose metadata the caller may see, archived ones included, by name. */
export function visibleChannels(view: RealmView, { user, actor }: Caller): VisibleChannel[] {
  const own = new Map(listSubscriptionsOfUser(view.sql, user.id).map((one) => [one.channelId, one]))
  const subscribers = subscriberIdsByChannel(view.sql)
  return listChannels(view.sql)
    .filter((channel) => mayAccessChannelMetadata(actor, channel, own.get(channel.id)?.isActive ?? false))
    .map((channel) => {
      const ids = subscribers.get(channel.id) ?? []
      return {
        channel,
        presented: presentChannel(view.sql, channel, { now: view.now, subscriberCount: ids.length }),
        subscription: own.get(channel.id),
        subscribers: ids,
      }
    })
}
