import type { Sql } from '../../core/sql.ts'
import type { Role } from '../../permissions/roles.ts'

/** A user with an open queue who has a record of a channel message. */
export interface ListeningHolder {
  readonly userId: number
  readonly role: Role
  readonly isSubscribed: boolean
}

/**
 * Active users who have a record of the message, as far as they have a queue open: nobody else can ever get
 * an event of now, so the list stays as short as the number of people online. By id.
 */
export function listeningHolders(sql: Sql, channelId: number, messageId: number): ListeningHolder[] {
  return sql
    .all<{ id: number; role: Role; subscribed: number }>(
      `SELECT u.id, u.role, ifnull(s.is_active, 0) AS subscribed
       FROM (SELECT DISTINCT user_id FROM queue) q
       JOIN user u ON u.id = q.user_id AND u.is_active = 1
       LEFT JOIN subscription s ON s.channel_id = ?1 AND s.user_id = u.id
       WHERE (s.is_active = 1 AND s.since_message < ?2)
         OR EXISTS (SELECT 1 FROM message_flag f WHERE f.user_id = u.id AND f.message_id = ?2)
         OR EXISTS (SELECT 1 FROM subscription_period p WHERE p.user_id = u.id AND p.channel_id = ?1
                      AND p.since_message < ?2 AND p.until_message >= ?2)
       ORDER BY u.id`,
      channelId,
      messageId,
    )
    .map(({ id, role, subscribed }) => ({ userId: id, role, isSubscribed: subscribed === 1 }))
}
