import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredSubscriptionEvent } from '../../../events/subscription.ts'
import { listChannels } from '../../channels/channel-rows.ts'
import { channelMetadataAudience } from '../../channels/visibility/channel-audiences.ts'
import { listSubscriptionsOfUser } from '../../subscriptions/subscription-rows.ts'
import type { User } from '../user-rows.ts'

/**
 * Notifies the peers that a closed account leaves its channels, or that a reopened one comes back
 * (docs/interface/events.md#events-about-channels-and-groups).
 */
export function announceMembership(tx: RealmTransaction, user: User, op: 'peer_add' | 'peer_remove'): void {
  const own = new Set(
    listSubscriptionsOfUser(tx.sql, user.id)
      .filter(({ isActive }) => isActive)
      .map(({ channelId }) => channelId),
  )
  for (const channel of listChannels(tx.sql).filter(({ id }) => own.has(id))) {
    const event: StoredSubscriptionEvent = {
      type: 'subscription',
      op,
      stream_ids: [channel.id],
      user_ids: [user.id],
    }
    tx.emit(event, { ...channelMetadataAudience(tx, channel), except: [user.id] })
  }
}
