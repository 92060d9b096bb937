import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { listChannels } from '../channels/channel-rows.ts'
import type { User } from '../users/user-rows.ts'
import { announceSubscriptions } from './announce-subscriptions.ts'
import { joinChannel } from './join-channels.ts'

/** A new account joins the organization's default channels (behaviour 0.11). */
export function subscribeToDefaultChannels(tx: RealmTransaction, user: User): void {
  const defaults = listChannels(tx.sql).filter((channel) => channel.isDefault && !channel.isArchived)
  announceSubscriptions(
    tx,
    defaults.map((channel) => joinChannel(tx, channel, [user.id])),
  )
}
