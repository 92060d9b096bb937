import type { ReadCommand } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { visibleChannels } from '../channels/visibility/visible-channels.ts'
import { type PresentedSubscription, presentSubscription } from './present-subscription.ts'
import { openSubscribersOf } from './subscriber-rows.ts'

export interface GetSubscriptionsParams {
  /** `partial` may always be answered in full (docs/decisions/interface.md#records). */
  readonly include_subscribers: boolean | 'partial'
  readonly include_archived_channels: boolean
}

/** Lists the caller's subscriptions, by name. Source: docs/interface/subscriptions.md#list-ones-channels. */
export const getSubscriptions: ReadCommand<
  Caller,
  GetSubscriptionsParams,
  void,
  { subscriptions: PresentedSubscription[] }
> = {
  reads: true,
  apply(tx, caller, params) {
    const wanted = visibleChannels(tx, caller).filter(
      ({ channel, subscription }) =>
        subscription?.isActive && (params.include_archived_channels || !channel.isArchived),
    )
    return {
      subscriptions: wanted.map(({ channel, presented, subscription }) =>
        presentSubscription(
          presented,
          subscription!,
          params.include_subscribers ? openSubscribersOf(tx.sql, channel.id).toArray() : undefined,
        ),
      ),
    }
  },
}
