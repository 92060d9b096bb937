import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { listChannelsAmong } from '../../channels/channel-rows.ts'
import { announceInPublicChannels, announcePeers } from '../../subscriptions/announce-peers.ts'
import { channelsOfSubscriber } from '../../subscriptions/guest-subscriber-rows.ts'
import type { User } from '../user-rows.ts'

/**
 * Number of channels from which on one event names all public ones, which may be thousands and are not read for it. Fewer have an
 * event each, for which nobody looks up the guests in them.
 */
const MANY_CHANNELS = 20

/**
 * Notifies the peers that a closed account leaves its channels, or that a reopened one comes back
 * (docs/interface/events.md#events-about-channels-and-groups).
 */
export function announceMembership(tx: RealmTransaction, user: User, op: 'peer_add' | 'peer_remove'): void {
  const { hidden, others } = channelsOfSubscriber(tx.sql, user.id)
  const isMany = hidden.length + others.length >= MANY_CHANNELS
  if (isMany && hidden.length > 0) announceInPublicChannels(tx, op, hidden, user.id)
  for (const channel of listChannelsAmong(tx.sql, isMany ? others : [...hidden, ...others])) {
    announcePeers(tx, op, [{ channel, userIds: [user.id] }])
  }
}
