import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { ChannelMembers } from '../subscriptions/channel-members.ts'
import { subscriberIds } from '../subscriptions/subscription-rows.ts'
import { areAllUsersVisible } from '../users/visibility/user-audience.ts'
import { withUserVisibilityEvents } from './users-that-a-user-sees.ts'

/**
 * Makes a change of subscriptions, then notifies guests of the users whom it showed to them or hid from them:
 * guests may see only those with whom they share a channel
 * (docs/interface/subscriptions.md#events-of-subscribing). `changes` names the channels, and who joins or
 * leaves them. Returns what the change returns.
 */
export function withVisibilityEventsOfSubscribing<R>(
  tx: RealmTransaction,
  changes: readonly ChannelMembers[],
  change: () => R,
): R {
  if (areAllUsersVisible(tx)) return change()
  const concerned = changes.flatMap(({ channel, userIds }) => [
    ...userIds,
    ...subscriberIds(tx.sql, channel.id),
  ])
  return withUserVisibilityEvents(tx, concerned, change)
}
