import type { Sql } from '../../core/sql.ts'
import type { DeliveryFacts } from '../../events/read-queue.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../permissions/topic-rules.ts'
import { subscribedAtEvent, subscribedSince } from '../subscriptions/period-rows.ts'
import { presentRoles, roleAt } from '../users/accounts/role-rows.ts'

/** Returns facts about the realm's past for delivery, from its periods. */
function deliveryFacts(sql: Sql): DeliveryFacts {
  return {
    emptyTopicDisplayName: EMPTY_TOPIC_DISPLAY_NAME,
    subscribedAt: (channelId, userId, eventId) => subscribedAtEvent(sql, channelId, userId, eventId),
    roleAt: (userId, eventId) => roleAt(sql, userId, eventId) ?? 600,
  }
}

/**
 * Returns the facts of delivery for many users: what is asked about one of them is read for all, so that an
 * event costs one query for all. Discarded at the end of the turn, since it does not see changes.
 */
export function deliveryFactsAmong(sql: Sql, userIds: readonly number[]): DeliveryFacts {
  const facts = deliveryFacts(sql)
  const channels = new Map<number, ReturnType<typeof subscribedSince>>()
  let roles: ReturnType<typeof presentRoles> | undefined
  return {
    ...facts,
    subscribedAt(channelId, userId, eventId) {
      const users = channels.get(channelId) ?? subscribedSince(sql, channelId, userIds)
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
