import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { listChannelsAmong } from '../../channels/channel-rows.ts'
import { announcePeers } from '../../subscriptions/announce-peers.ts'
import { subscribedChannelIds } from '../../subscriptions/subscription-rows.ts'
import type { User } from '../user-rows.ts'

/**
 * Number of channels from which on one event names all public ones. Fewer have an event each, for which
 * nobody looks up the guests in them.
 */
const MANY_CHANNELS = 20

/**
 * Notifies the peers that a closed account leaves its channels, or that a reopened one comes back
 * (docs/interface/events.md#events-about-channels-and-groups).
 */
export function announceMembership(tx: RealmTransaction, user: User, op: 'peer_add' | 'peer_remove'): void {
  const channels = listChannelsAmong(tx.sql, subscribedChannelIds(tx.sql, user.id))
  const changes = channels.map((channel) => ({ channel, userIds: [user.id] }))
  if (changes.length >= MANY_CHANNELS) announcePeers(tx, op, changes)
  else for (const change of changes) announcePeers(tx, op, [change])
}
