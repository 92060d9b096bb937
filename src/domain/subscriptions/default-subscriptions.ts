import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { listChannels } from '../channels/channel-rows.ts'
import type { User } from '../users/user-rows.ts'
import { announceSubscriptions } from './announce-subscriptions.ts'
import { subscribe } from './subscribe.ts'

/** A new account joins the organization's default channels (behaviour 0.11). */
export function subscribeToDefaultChannels(tx: RealmTransaction, user: User): void {
  const joined = listChannels(tx.sql).filter(
    (channel) => channel.isDefault && !channel.isArchived && subscribe(tx, user, channel),
  )
  announceSubscriptions(
    tx,
    joined.map((channel) => ({ channel, userIds: [user.id] })),
  )
}
