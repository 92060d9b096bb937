import { IdSet } from '../../../core/id-set.ts'
import type { Sql } from '../../../core/sql.ts'
import { channelsOf, subscribersOf } from '../../subscriptions/subscriber-rows.ts'

/** Whether both are subscribed to one channel, or take part in one direct conversation. */
export function sharesConversation(sql: Sql, one: number, other: number): boolean {
  if (channelsOf(sql, one).and(channelsOf(sql, other)).size > 0) return true
  const conversation = sql.first(
    `SELECT 1 FROM conversation_member a JOIN conversation_member b ON b.conversation_id = a.conversation_id
     WHERE a.user_id = ?1 AND b.user_id = ?2 LIMIT 1`,
    one,
    other,
  )
  return conversation !== undefined
}

/** Returns the users who share a channel or a direct conversation with the user, closed accounts included. */
export function sharersOf(sql: Sql, userId: number): IdSet {
  return IdSet.union([
    partnersOf(sql, userId),
    ...Array.from(channelsOf(sql, userId), (id) => subscribersOf(sql, id)),
  ])
}

/** Returns the users who take part in a direct conversation of the user. */
function partnersOf(sql: Sql, userId: number): IdSet {
  const { members } = sql.first<{ members: string | null }>(
    `SELECT group_concat(c.members) AS members FROM conversation_member m
     JOIN conversation c ON c.id = m.conversation_id WHERE m.user_id = ?`,
    userId,
  )!
  return members === null ? IdSet.none : IdSet.of(members.split(',').map(Number))
}
