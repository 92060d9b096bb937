import type { ReadCommand } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import {
  type ChannelsInTurns,
  describeChannels,
  listSubscribersOfChannels,
  type SubscribersInTurns,
  subscribersOfChannels,
  visibleChannels,
} from '../channels/visibility/visible-channels.ts'
import { type PresentedSubscription, presentSubscription } from './present-subscription.ts'

export interface GetSubscriptionsParams {
  /** `partial` may always be answered in full (docs/decisions/interface.md#records). */
  readonly include_subscribers: boolean | 'partial'
  readonly include_archived_channels: boolean
}

interface LoadedChannels {
  readonly channels: ChannelsInTurns | undefined
  readonly subscribers: SubscribersInTurns | undefined
}

/** Lists the caller's subscriptions, by name. Source: docs/interface/subscriptions.md#list-ones-channels. */
export const getSubscriptions: ReadCommand<
  Caller,
  GetSubscriptionsParams,
  LoadedChannels,
  { subscriptions: PresentedSubscription[] }
> = {
  reads: true,
  async load({ walks }, view, { user }, { include_subscribers }) {
    const subscribers = include_subscribers
      ? await listSubscribersOfChannels(walks, view, user.id)
      : undefined
    return { subscribers, channels: await describeChannels(walks, view) }
  },
  apply(tx, caller, params, loaded) {
    const wanted = visibleChannels(tx, caller, loaded.channels).filter(
      ({ channel, subscription }) =>
        subscription?.isActive && (params.include_archived_channels || !channel.isArchived),
    )
    const ids = wanted.map(({ channel }) => channel.id)
    const subscribers = loaded.subscribers && subscribersOfChannels(tx, ids, loaded.subscribers)
    return {
      subscriptions: wanted.map(({ channel, presented, subscription }) =>
        presentSubscription(presented, subscription!, subscribers && (subscribers.get(channel.id) ?? [])),
      ),
    }
  },
}
