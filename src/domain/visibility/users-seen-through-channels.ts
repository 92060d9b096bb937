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
  const channelIds = changes.map(({ channel }) => channel.id)
  const moving = new Set(changes.flatMap(({ userIds }) => userIds))
  const guests = new Set(guestIds(tx.sql))
  // Who stays meets only those who move; who moves may meet everybody in these channels.
  const movingGuests = [...moving].filter((id) => guests.has(id))
  const staying = [...guestSubscribersOf(tx.sql, channelIds).values()].flat().filter((id) => !moving.has(id))
  const there = movingGuests.length === 0 ? [] : [...subscriberIdsOf(tx.sql, channelIds).values()].flat()
  return withMeetings(
    tx,
    [
      { guestIds: movingGuests, userIds: [...new Set([...moving, ...there])] },
      { guestIds: [...new Set(staying)], userIds: [...moving] },
    ],
    change,
  )
}
