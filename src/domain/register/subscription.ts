import { resolveInherited } from '../../events/subscription.ts'
import { isGuest } from '../../permissions/roles.ts'
import type { Caller } from '../caller.ts'
import { type VisibleChannel, visibleChannels } from '../channels/visible-channels.ts'
import { inheritedSettings, presentSubscription } from '../subscriptions/present-subscription.ts'
import type { Snapshot, SnapshotOptions } from './snapshot.ts'

/** Keys of `subscription`: three disjoint lists, each by name (core-endpoints 1.4). */
export const subscriptionSnapshot: Snapshot = (tx, caller, options) => {
  const channels = visibleChannels(tx, caller).filter(
    ({ channel }) => !channel.isArchived || options.capabilities.has('archived_channels'),
  )
  const never = channels.filter(({ subscription }) => !subscription)
  return {
    subscriptions: present(
      channels.filter(({ subscription }) => subscription?.isActive),
      caller,
      options,
    ),
    unsubscribed: present(
      channels.filter(({ subscription }) => subscription && !subscription.isActive),
      caller,
      options,
    ),
    never_subscribed: never
      .filter(({ channel }) => !isGuest(caller.user) || channel.isWebPublic)
      .map(({ presented, subscribers }) =>
        options.includeSubscribers === false ? presented : { ...presented, subscribers },
      ),
  }
}

function present(channels: readonly VisibleChannel[], { user }: Caller, options: SnapshotOptions): object[] {
  const inherited = inheritedSettings(user)
  return channels.map(({ presented, subscription, subscribers }) => {
    const one = presentSubscription(
      presented,
      subscription!,
      options.includeSubscribers === false ? undefined : subscribers,
    )
    return options.capabilities.has('notification_settings_null') ? one : resolveInherited(one, inherited)
  })
}
