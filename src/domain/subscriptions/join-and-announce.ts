import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { announceSubscriptions } from './announce-subscriptions.ts'
import type { ChannelMembers } from './channel-members.ts'
import { joinChannel } from './join-channels.ts'
import { watchSightOfPeople } from './sight-of-people.ts'

/** Users who are to be in a channel; `color` is normalised. */
export interface ChannelToJoin extends ChannelMembers {
  readonly color?: string | undefined
}

/** Subscribes users to channels and tells everybody concerned; answers who was not subscribed before. */
export function joinAndAnnounce(tx: RealmTransaction, wanted: readonly ChannelToJoin[]): ChannelMembers[] {
  const tellGuests = watchSightOfPeople(tx, wanted)
  const joined = wanted.map(({ channel, userIds, color }) => joinChannel(tx, channel, userIds, color))
  announceSubscriptions(tx, joined)
  tellGuests()
  return joined
}
