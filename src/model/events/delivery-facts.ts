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

/** Returns facts about the realm's past for delivery, from its periods. */
function deliveryFacts(sql: Sql): DeliveryFacts {
  const subscribedAt = (channelId: number, userId: number, eventId: number) =>
    subscribedAtEvent(sql, channelId, userId, eventId)
  return {
    emptyTopicDisplayName: EMPTY_TOPIC_DISPLAY_NAME,
    subscribedAt,
    channelsAt(channelIds, userId, eventId) {
      // A turn has counted these channels. All those of a user may be thousands.
      const channels = subscriptionsSince(sql, userId, channelIds)
      return channelIds.filter((id) => {
        if (!channels.has(id)) return false
        const since = channels.get(id)
        return (since !== undefined && eventId > since) || subscribedAt(id, userId, eventId)
      })
    },
    roleAt: (userId, eventId) => roleAt(sql, userId, eventId) ?? 600,
  }
}

/** Number of users up to which facts are read for each of them, and kept. */
const FEW = 8

/**
 * Returns the facts of delivery for many users. A fact about one of them is read for all at once, so that an event costs one
 * query, or none when it was kept: the subscribers of a channel are kept together if they are not more than the clients
 * `waiting`. The result must be discarded at the end of the turn, since it does not see changes.
 */
export function deliveryFactsAmong(
  sql: Sql,
  userIds: readonly number[],
  waiting = userIds.length,
): DeliveryFacts {
  const facts = deliveryFacts(sql)
  const channels = new Map<number, SubscribedSince>()
  let roles: ReturnType<typeof presentRoles> | undefined
  // A power of two, since the subscribers are kept separately for each limit.
  const limit = 2 ** Math.ceil(Math.log2(waiting))
  const usersOf = (channelId: number) =>
    allSubscribedSince(sql, channelId, limit) ?? subscribedSince(sql, channelId, userIds)
  return {
    ...facts,
    subscribedAt(channelId, userId, eventId) {
      if (userIds.length <= FEW) return facts.subscribedAt(channelId, userId, eventId)
      const users = channels.get(channelId) ?? usersOf(channelId)
      channels.set(channelId, users)
      if (!users.has(userId)) return false
      const since = users.get(userId)
      return (since !== undefined && eventId > since) || facts.subscribedAt(channelId, userId, eventId)
    },
    roleAt(userId, eventId) {
      roles ??= presentRoles(sql, userIds)
      const present = roles.get(userId)
      return present && eventId > present.since ? present.role : facts.roleAt(userId, eventId)
    },
  }
}
