import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { areAllUsersVisible } from '../users/user-audience.ts'
import { watchSightAmong } from '../users/user-sight.ts'
import type { ChannelMembers } from './channel-members.ts'
import { subscriberIds } from './subscription-rows.ts'

/**
 * Where guests see only the people they share a channel with, coming and going changes whom they see.
 * To be called before the change; the answer, called after it, tells them (docs/interface/subscriptions.md#events-of-subscribing).
 */
export function watchSightOfPeople(tx: RealmTransaction, changes: readonly ChannelMembers[]): () => void {
  if (areAllUsersVisible(tx)) return () => {}
  const concerned = changes.flatMap(({ channel, userIds }) => [
    ...userIds,
    ...subscriberIds(tx.sql, channel.id),
  ])
  return watchSightAmong(tx, concerned)
}
