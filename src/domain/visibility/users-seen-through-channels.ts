import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { ChannelMembers } from '../subscriptions/channel-members.ts'
import { guestIds, guestSubscribersOf } from '../subscriptions/guest-subscriber-rows.ts'
import { subscriberIdsOf } from '../subscriptions/subscription-rows.ts'
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
  const guests = new Set(guestIds(tx.sql))
  const moving = movingUsers(changes)
  // Who stays meets only those who move; who moves may meet everybody in these channels.
  const movingGuests = [...moving].filter((id) => guests.has(id))
  const there =
    movingGuests.length === 0 ? [] : [...subscriberIdsOf(tx.sql, channelIdsOf(changes)).values()].flat()
  const meetings = [
    { guestIds: movingGuests, userIds: [...new Set([...moving, ...there])] },
    { guestIds: stayingGuests(tx, changes), userIds: [...moving] },
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
  const userIds = [...movingUsers(changes)]
  return withMeetings(tx, [{ guestIds: stayingGuests(tx, changes), userIds }], change)
}

function movingUsers(changes: readonly ChannelMembers[]): Set<number> {
  return new Set(changes.flatMap(({ userIds }) => userIds))
}

function channelIdsOf(changes: readonly ChannelMembers[]): number[] {
  return changes.map(({ channel }) => channel.id)
}

/** Returns guests of the channels who neither join nor leave. */
function stayingGuests(tx: RealmTransaction, changes: readonly ChannelMembers[]): number[] {
  const moving = movingUsers(changes)
  const there = new Set([...guestSubscribersOf(tx.sql, channelIdsOf(changes)).values()].flat())
  return [...there].filter((id) => !moving.has(id))
}
