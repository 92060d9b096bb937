import { IdSet } from '../../../core/id-set.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { actorOf } from '../../../model/caller.ts'
import { mayAccessChannelContent } from '../../../rules/channel-rules.ts'
import type { Channel } from '../../../store/channels/channel-rows.ts'
import { listeningUserIds } from '../../../store/events/listener-rows.ts'
import { flagBitsOf, usersWithFlagsBetween } from '../../../store/messages/flags/flag-rows.ts'
import { findMessages } from '../../../store/messages/message-rows.ts'
import { receivedByMany } from '../../../store/subscriptions/periods-of-many-rows.ts'
import { subscribersOf } from '../../../store/subscriptions/subscriber-rows.ts'
import { activeUsers } from '../../../store/users/account-set-rows.ts'
import { findUsers } from '../../../store/users/user-rows.ts'

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
  const subscribed = subscribersOf(view.sql, channel.id)
  // The others are notified as subscribers.
  const others = listening.filter((id) => !channel.historyPublicToSubscribers || !subscribed.has(id))
  if (others.length === 0) return []
  const keepers = usersWithFlagsBetween(view.sql, others, ids[0]!, ids.at(-1)!)
  const receivedBy = receivedByMany(view.sql, channel.id, others)(findMessages(view.sql, ids))
  const active = activeUsers(view.sql).and(IdSet.of(others)).toArray()
  const having = [...findUsers(view.sql, active).values()].flatMap((user) => {
    const received = new Set(receivedBy(user.id))
    const sparse = keepers.has(user.id) ? flagBitsOf(view.sql, user.id, ids) : undefined
    const has = (id: number) => received.has(id) || sparse?.has(id) === true
    const messageIds = has(namedId) ? [] : ids.filter(has)
    if (messageIds.length === 0) return []
    const actor = actorOf(view.sql, user, view.now)
    const mayRead = mayAccessChannelContent(actor, channel, subscribed.has(user.id))
    return mayRead ? [{ userId: user.id, messageIds }] : []
  })
  return [...Map.groupBy(having, ({ messageIds }) => messageIds.join()).values()].map((group) => ({
    userIds: group.map(({ userId }) => userId),
    messageIds: group[0]!.messageIds,
  }))
}
