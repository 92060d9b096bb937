import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { type Channel, changeChannel } from '../../../store/channels/channel-rows.ts'
import { emitChannelUpdate } from '../change/emit-channel-update.ts'

/**
 * Marks a dormant channel as active when a message is sent to it (docs/interface/messages.md#send-a-message).
 */
export function noteActivity(tx: RealmTransaction, channel: Channel): void {
  if (!channel.isRecentlyActive) setRecentlyActive(tx, channel, true)
}

export function setRecentlyActive(tx: RealmTransaction, channel: Channel, isRecentlyActive: boolean): void {
  changeChannel(tx.sql, channel.id, { isRecentlyActive })
  emitChannelUpdate(tx, channel, { property: 'is_recently_active', value: isRecentlyActive })
}
