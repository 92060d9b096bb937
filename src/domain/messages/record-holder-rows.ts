import type { Sql } from '../../core/sql.ts'
import type { Role } from '../../permissions/roles.ts'
import { isReceived, receivedRanges } from '../subscriptions/period-rows.ts'
import { listMovesInto } from './message-move-rows.ts'

/** A user who has a record of a channel message. */
export interface RecordHolder {
  readonly userId: number
  readonly role: Role
  readonly isSubscribed: boolean
}

/**
 * Active users who have a record of the message, as far as they have a queue open: nobody else can ever get
 * an event of now, so the list stays as short as the number of people online. By id.
 */
export function listeningHolders(sql: Sql, channelId: number, messageId: number): RecordHolder[] {
  return holdersAmong(sql, `SELECT user_id FROM queue`, channelId, messageId)
}

/** All active users who have a record of the message, by id. */
export function recordHolders(sql: Sql, channelId: number, messageId: number): RecordHolder[] {
  return holdersAmong(
    sql,
    `SELECT user_id FROM subscription WHERE channel_id = ?1
     UNION SELECT user_id FROM message_flag WHERE message_id = ?2`,
    channelId,
    messageId,
  )
}

/** `candidates`: a query of user ids, which may use the channel as ?1 and the message as ?2. */
function holdersAmong(sql: Sql, candidates: string, channelId: number, messageId: number): RecordHolder[] {
  // What was moved here did not come when its id says: periods alone do not tell who has it.
  const wasMovedHere = listMovesInto(sql, [channelId]).some(({ runs }) =>
    runs.some(([first, last]) => first <= messageId && messageId <= last),
  )
  return sql
    .all<{ id: number; role: Role; subscribed: number; has_row: number; was_there: number }>(
      `SELECT u.id, u.role, ifnull(s.is_active, 0) AS subscribed,
         EXISTS (SELECT 1 FROM message_flag f WHERE f.user_id = u.id AND f.message_id = ?2) AS has_row,
         (s.is_active = 1 AND s.since_message < ?2)
           OR EXISTS (SELECT 1 FROM subscription_period p WHERE p.user_id = u.id AND p.channel_id = ?1
                        AND p.since_message < ?2 AND p.until_message >= ?2) AS was_there
       FROM (SELECT DISTINCT user_id FROM (${candidates})) q
       JOIN user u ON u.id = q.user_id AND u.is_active = 1
       LEFT JOIN subscription s ON s.channel_id = ?1 AND s.user_id = u.id
       ORDER BY u.id`,
      channelId,
      messageId,
    )
    .filter(
      ({ id, has_row, was_there }) =>
        has_row === 1 ||
        (wasMovedHere ? isReceived(receivedRanges(sql, id, channelId), messageId) : was_there === 1),
    )
    .map(({ id, role, subscribed }) => ({ userId: id, role, isSubscribed: subscribed === 1 }))
}
