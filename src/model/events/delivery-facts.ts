import type { Sql } from '../../core/sql.ts'
import type { DeliveryFacts } from '../../events/read-queue.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import {
  allSubscribedSince,
  type SubscribedSince,
  subscribedAtEvent,
  subscribedSince,
  subscriptionsSince,
} from '../../store/subscriptions/period-rows.ts'
import { presentRoles, roleAt } from '../../store/users/accounts/role-rows.ts'

/** Number of users up to which facts are read for each of them, and kept. */
const FEW = 8

/**
 * Returns facts about the past, from the realm's periods, for delivery to these users. A fact about one of them is read
 * for all at once, so that an event costs one query, or none when it was kept: the subscribers of a channel are kept
 * together if they are not more than the clients `waiting`. The result is valid for one turn, since it does not see changes.
 */
export function deliveryFactsAmong(
  sql: Sql,
  userIds: readonly number[],
  waiting = userIds.length,
): DeliveryFacts {
  const channels = new Map<number, SubscribedSince>()
  let roles: ReturnType<typeof presentRoles> | undefined
  // A power of two, since the subscribers are kept separately for each limit.
  const limit = 2 ** Math.ceil(Math.log2(waiting))
  const usersOf = (channelId: number) =>
    allSubscribedSince(sql, channelId, limit) ?? subscribedSince(sql, channelId, userIds)
  const wasIn = (since: number | undefined, channelId: number, userId: number, eventId: number) =>
    (since !== undefined && eventId > since) || subscribedAtEvent(sql, channelId, userId, eventId)
  return {
    emptyTopicDisplayName: EMPTY_TOPIC_DISPLAY_NAME,
    subscribedAt(channelId, userId, eventId) {
      if (userIds.length <= FEW) return subscribedAtEvent(sql, channelId, userId, eventId)
      const users = channels.get(channelId) ?? usersOf(channelId)
      channels.set(channelId, users)
      return users.has(userId) && wasIn(users.get(userId), channelId, userId, eventId)
    },
    channelsAt(channelIds, userId, eventId) {
      // A turn has counted these channels; a user may be in thousands.
      const since = subscriptionsSince(sql, userId, channelIds)
      return channelIds.filter((id) => since.has(id) && wasIn(since.get(id), id, userId, eventId))
    },
    roleAt(userId, eventId) {
      roles ??= presentRoles(sql, userIds)
      const present = roles.get(userId)
      return present && eventId > present.since ? present.role : (roleAt(sql, userId, eventId) ?? 600)
    },
  }
}
