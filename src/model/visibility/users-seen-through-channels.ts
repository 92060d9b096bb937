import { IdSet } from '../../core/id-set.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { openSubscribersOf, subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { activeGuests } from '../../store/users/account-set-rows.ts'
import type { ChannelMembers } from '../subscriptions/channel-members.ts'
import { areAllUsersVisible } from '../users/visibility/user-audience.ts'
import { withMeetings } from './users-that-a-user-sees.ts'

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
  const moving = movingUsers(changes)
  // Users who stay meet only those who move; users who move may meet everyone in these channels.
  const movingGuests = moving.and(activeGuests(tx.sql))
  const there =
    movingGuests.size === 0 ? [] : changes.map(({ channel }) => openSubscribersOf(tx.sql, channel.id))
  const meetings = [
    { guestIds: movingGuests.toArray(), userIds: IdSet.union([moving, ...there]) },
    { guestIds: stayingGuests(tx, changes), userIds: moving },
  ]
  return withMeetings(tx, meetings, change)
}

/** As above, for an account that this commit makes: it has no queue yet for events about those whom it meets. */
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

/** Returns guests of the channels who neither join nor leave. */
function stayingGuests(tx: RealmTransaction, changes: readonly ChannelMembers[]): number[] {
  const there = IdSet.union(changes.map(({ channel }) => subscribersOf(tx.sql, channel.id)))
  return there.and(activeGuests(tx.sql)).andNot(movingUsers(changes)).toArray()
}
