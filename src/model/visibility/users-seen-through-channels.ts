import { IdSet } from '../../core/id-set.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { openSubscribersOf, subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { activeGuests } from '../../store/users/account-set-rows.ts'
import type { ChannelMembers } from '../subscriptions/channel-members.ts'
import { areAllUsersVisible } from '../users/visibility/user-audience.ts'
import { withMeetings } from './users-that-a-user-sees.ts'

/**
 * Makes a change of subscriptions, then notifies guests of the users whom it has shown to them or hidden from them: guests
 * may see only users with whom they share a channel (docs/interface/subscriptions.md#events-of-subscribing). `changes`: the
 * channels, and the users who join or leave them. Returns what the change returns.
 */
export function withVisibilityEventsOfSubscribing<R>(
  tx: RealmTransaction,
  changes: readonly ChannelMembers[],
  change: () => R,
): R {
  if (areAllUsersVisible(tx)) return change()
  const moving = movingUsers(changes)
  // Guests who stay meet only the users who move; guests who move may meet everybody in these channels.
  const movingGuests = moving.and(activeGuests(tx.sql))
  const there =
    movingGuests.size === 0 ? [] : changes.map(({ channel }) => openSubscribersOf(tx.sql, channel.id))
  const meetings = [
    { guestIds: movingGuests.toArray(), userIds: IdSet.union([moving, ...there]) },
    { guestIds: stayingGuests(tx, changes), userIds: moving },
  ]
  return withMeetings(tx, meetings, change)
}

/** Does the same for an account that this commit makes, and that has no queue yet for events about others. */
export function withVisibilityEventsOfNewUser<R>(
  tx: RealmTransaction,
  changes: readonly ChannelMembers[],
  change: () => R,
): R {
  if (areAllUsersVisible(tx)) return change()
  const userIds = movingUsers(changes)
  return withMeetings(tx, [{ guestIds: stayingGuests(tx, changes), userIds }], change)
}

function movingUsers(changes: readonly ChannelMembers[]): IdSet {
  return IdSet.of(changes.flatMap(({ userIds }) => userIds))
}

/** Returns the guests of the channels who neither join nor leave. */
function stayingGuests(tx: RealmTransaction, changes: readonly ChannelMembers[]): number[] {
  const there = IdSet.union(changes.map(({ channel }) => subscribersOf(tx.sql, channel.id)))
  return there.and(activeGuests(tx.sql)).andNot(movingUsers(changes)).toArray()
}
