import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Channel } from '../channels/channel-rows.ts'
import { newestMessageId } from '../messages/message-rows.ts'
import type { User } from '../users/user-rows.ts'
import { nextColor } from './colors.ts'
import {
  beginSubscription,
  findSubscription,
  listSubscriptionsOfUser,
  type Position,
  type Subscription,
} from './subscription-rows.ts'

/** Where a period of now begins or ends. */
export function presentPosition(tx: RealmTransaction): Position {
  return { event: tx.lastEventId(), message: newestMessageId(tx.sql) }
}

/**
 * Subscribes a user to a channel, without any event. False when they were already. The period begins
 * after what has been emitted so far: emit `stream`/`create` before and `message`s after.
 */
export function subscribe(tx: RealmTransaction, user: User, channel: Channel, color?: string): boolean {
  const before = findSubscription(tx.sql, channel.id, user.id)
  if (before?.isActive) return false
  const used = () =>
    listSubscriptionsOfUser(tx.sql, user.id).map((subscription: Subscription) => subscription.color)
  beginSubscription(
    tx.sql,
    {
      channelId: channel.id,
      userId: user.id,
      color: before?.color ?? color ?? nextColor(used(), channelRecipientId(channel.id)),
    },
    presentPosition(tx),
  )
  return true
}
