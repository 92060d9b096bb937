import type { InBlocks } from '../../core/blocks.ts'
import { resolveInherited } from '../../events/subscription.ts'
import { isGuest } from '../../permissions/roles.ts'
import type { Caller } from '../caller.ts'
import { inheritedSettings, presentPersonalSettings } from '../subscriptions/present-subscription.ts'
import { type ChannelInBlocks, channelsInBlocks, listOfChannels } from './channels-in-blocks.ts'
import type { Snapshot, SnapshotOptions } from './snapshot.ts'

/**
 * Keys of `subscription`: three disjoint lists, each by name
 * (docs/interface/subscriptions.md#the-subscription-object).
 */
export const subscriptionSnapshot: Snapshot = (tx, caller, options) => {
  const channels = channelsInBlocks(tx, caller, options)
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
    never_subscribed: listOfChannels(
      never.filter(({ channel }) => !isGuest(caller.user) || channel.isWebPublic),
      (channel, add) => {
        add(channel.opening)
        add(endOf(channel, options))
      },
    ),
  }
}

function present(channels: readonly ChannelInBlocks[], { user }: Caller, options: SnapshotOptions): InBlocks {
  const inherited = inheritedSettings(user)
  return listOfChannels(channels, (channel, add) => {
    const settings = presentPersonalSettings(channel.subscription!)
    const own = options.capabilities.has('notification_settings_null')
      ? settings
      : resolveInherited(settings, inherited)
    add(channel.opening)
    add(`,${JSON.stringify(own).slice(1, -1)}`)
    add(endOf(channel, options))
  })
}

function endOf({ counted, listed }: ChannelInBlocks, { includeSubscribers }: SnapshotOptions) {
  return includeSubscribers === false ? counted : listed
}
