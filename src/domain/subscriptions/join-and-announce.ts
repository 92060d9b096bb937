import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { withVisibilityEventsOfSubscribing } from '../visibility/users-seen-through-channels.ts'
import { announceSubscriptions } from './announce-subscriptions.ts'
import type { ChannelMembers } from './channel-members.ts'
import { ColorsInUse, joinChannel } from './join-channels.ts'

/** Users to subscribe to a channel; `color` is normalised. */
export interface ChannelToJoin extends ChannelMembers {
  readonly color?: string | undefined
}

/**
 * Subscribes users to channels and notifies everybody concerned. Returns the users who were not subscribed
 * before.
 */
export function joinAndAnnounce(tx: RealmTransaction, wanted: readonly ChannelToJoin[]): ChannelMembers[] {
  return withVisibilityEventsOfSubscribing(tx, wanted, () => {
    const inUse = new ColorsInUse(tx.sql)
    const joined = wanted.map(({ channel, userIds, color }) =>
      joinChannel(tx, channel, userIds, color, inUse),
    )
    announceSubscriptions(tx, joined)
    return joined
  })
}
