import type { Sql } from '../../core/sql.ts'
import type { DeliveryFacts } from '../../events/read-queue.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../permissions/topic-rules.ts'
import { subscribedAtEvent } from '../subscriptions/period-rows.ts'
import { roleAt } from '../users/user-rows.ts'

/** What delivery asks of the realm's past, from its periods. */
export function deliveryFacts(sql: Sql): DeliveryFacts {
  return {
    emptyTopicDisplayName: EMPTY_TOPIC_DISPLAY_NAME,
    subscribedAt: (channelId, userId, eventId) => subscribedAtEvent(sql, channelId, userId, eventId),
    roleAt: (userId, eventId) => roleAt(sql, userId, eventId) ?? 600,
  }
}
