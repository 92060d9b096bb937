import type { RealmView } from '../../../core/realm-transaction.ts'
import { mayAccessChannelContent } from '../../../permissions/channel-rules.ts'
import { actorOf } from '../../caller.ts'
import type { Channel } from '../../channels/channel-rows.ts'
import { listeningUserIds } from '../../events/listener-rows.ts'
import { isReceived, receivedAmong, receivedRanges } from '../../subscriptions/received-range-rows.ts'
import {
  type Subscription,
  subscribersAmong,
  subscriptionsAmong,
} from '../../subscriptions/subscription-rows.ts'
import { type ActiveUser, listActive } from '../../users/active-user-rows.ts'
import { flagBitsOf, usersWithFlagsBetween } from '../flags/flag-rows.ts'

/** Users who have the same of the moved messages. */
export interface MovedAlong {
  readonly userIds: readonly number[]
  /** Ascending ids. */
  readonly messageIds: readonly number[]
}

/**
 * Returns the listening users who have other moved messages than the named one, with those messages: they
 * came to a protected history later, or have left the channel since. Users who have the named one are
 * notified of all through it (read/action-audience.ts).
 */
export function movedAlong(
  view: RealmView,
  channel: Channel,
  namedId: number,
  ids: readonly number[],
): MovedAlong[] {
  if (ids.length < 2) return []
  const listening = listeningUserIds(view.sql)
  const subscribed = channel.historyPublicToSubscribers
    ? subscribersAmong(view.sql, channel.id, listening)
    : new Set()
  // The others are notified as subscribers.
  const others = listening.filter((id) => !subscribed.has(id))
  if (others.length === 0) return []
  const keepers = usersWithFlagsBetween(view.sql, others, ids[0]!, ids.at(-1)!)
  const subscriptions = subscriptionsAmong(view.sql, channel.id, others)
  const having = listActive(view.sql, others).flatMap((user) => {
    const subscription = subscriptions.get(user.id)
    const messageIds = heldWithout(view, user, subscription, channel, namedId, ids, keepers.has(user.id))
    return messageIds.length > 0 ? [{ userId: user.id, messageIds }] : []
  })
  return [...Map.groupBy(having, ({ messageIds }) => messageIds.join()).values()].map((group) => ({
    userIds: group.map(({ userId }) => userId),
    messageIds: group[0]!.messageIds,
  }))
}

/**
 * Returns nothing for users who have the named one, are notified as subscribers, or may no longer read the
 * channel. `keepsOne`: whether the user may have a row of flags for one of the messages.
 */
function heldWithout(
  { sql, now }: RealmView,
  user: ActiveUser,
  subscription: Subscription | undefined,
  channel: Channel,
  namedId: number,
  ids: readonly number[],
  keepsOne: boolean,
): readonly number[] {
  const isSubscribed = subscription?.isActive ?? false
  if (isSubscribed ? channel.historyPublicToSubscribers : !subscription && !keepsOne) return []
  if (!mayAccessChannelContent(actorOf(sql, user, now), channel, isSubscribed)) return []
  const ranges = subscription ? receivedRanges(sql, user.id, channel.id) : []
  if (isReceived(ranges, namedId)) return []
  const received = receivedAmong(ranges, ids)
  if (!keepsOne) return received
  const sparse = flagBitsOf(sql, user.id, ids)
  if (sparse.has(namedId)) return []
  const among = new Set(received)
  return ids.filter((id) => among.has(id) || sparse.has(id))
}
