import type { Sql } from '../../../core/sql.ts'

/** Whether both are subscribed to one channel, or take part in one direct conversation. */
export function sharesConversation(sql: Sql, one: number, other: number): boolean {
  return (
    sql.first(
      `SELECT 1 FROM subscription a JOIN subscription b ON b.channel_id = a.channel_id
       WHERE a.user_id = ?1 AND b.user_id = ?2 AND a.is_active = 1 AND b.is_active = 1
       UNION ALL
       SELECT 1 FROM conversation_member a JOIN conversation_member b ON b.conversation_id = a.conversation_id
       WHERE a.user_id = ?1 AND b.user_id = ?2 LIMIT 1`,
      one,
      other,
    ) !== undefined
  )
}
