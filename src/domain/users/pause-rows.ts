import type { Sql } from '../../core/sql.ts'
import type { Position } from '../subscriptions/subscription-rows.ts'

/** A period that begins here has not begun: nothing has a higher id. */
const NEVER = Number.MAX_SAFE_INTEGER

/**
 * The subscriptions of a closed account: the rows of `subscription` stay as they are but for the beginning
 * of their present period, which is put off until the account is opened again.
 */
export function pauseSubscriptions(sql: Sql, userId: number, position: Position): void {
  sql.run(
    `INSERT OR REPLACE INTO subscription_period
       (user_id, channel_id, since_event, until_event, since_message, until_message)
     SELECT user_id, channel_id, since_event, ?2, since_message, ?3 FROM subscription
     WHERE user_id = ?1 AND is_active = 1`,
    userId,
    position.event,
    position.message,
  )
  startPeriods(sql, userId, { event: NEVER, message: NEVER })
}

export function resumeSubscriptions(sql: Sql, userId: number, position: Position): void {
  startPeriods(sql, userId, position)
}

function startPeriods(sql: Sql, userId: number, position: Position): void {
  sql.run(
    `UPDATE subscription SET since_event = ?, since_message = ? WHERE user_id = ? AND is_active = 1`,
    position.event,
    position.message,
    userId,
  )
}
