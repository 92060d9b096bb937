import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { listChannelsAmong } from '../../../store/channels/channel-rows.ts'
import { channelsOf } from '../../../store/subscriptions/subscriber-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { announceInManyChannels, announcePeers } from '../../subscriptions/announce-peers.ts'

/**
 * Number of channels from which on a few events name all, which may be thousands. Fewer have an event each, for which nobody looks up
 * the guests in them.
 */
const MANY_CHANNELS = 20

/**
 * Notifies the peers that a closed account leaves its channels, or that a reopened one comes back
 * (docs/interface/events.md#events-about-channels-and-groups).
 */
export function announceMembership(tx: RealmTransaction, user: User, op: 'peer_add' | 'peer_remove'): void {
  const channelIds = channelsOf(tx.sql, user.id).toArray()
  if (channelIds.length >= MANY_CHANNELS) {
    // Each guest may be in others of the public channels, and with an event for each there were hundreds.
    announceInManyChannels(tx, op, channelIds, user.id)
    return
  }
  for (const channel of listChannelsAmong(tx.sql, channelIds)) {
    announcePeers(tx, op, [{ channel, userIds: [user.id] }])
  }
}
