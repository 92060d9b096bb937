import type { WritableSql } from '../../../core/sql.ts'
import type { Position } from '../../subscriptions/subscription-rows.ts'

/** Start of a period of messages that has not begun: no message has a higher id. */
const NEVER = Number.MAX_SAFE_INTEGER

/**
 * Pauses the subscriptions of a closed account. They continue, so that moves between channels meanwhile count
 * as for everybody else; but no message is received until the account is reopened.
 */
export function pauseSubscriptions(sql: WritableSql, userId: number, position: Position): void {
  sql.run(
    `INSERT OR REPLACE INTO subscription_period
       (user_id, channel_id, since_event, until_event, since_message, until_message)
     SELECT user_id, channel_id, since_event, ?2, since_message, ?3 FROM subscription
     WHERE user_id = ?1 AND is_active = 1`,
    userId,
    position.event,
    position.message,
  )
  sql.run(
    `UPDATE subscription SET since_event = ?, since_message = ? WHERE user_id = ? AND is_active = 1`,
    position.event,
    NEVER,
    userId,
  )
}

export function resumeSubscriptions(sql: WritableSql, userId: number, { message }: Position): void {
  sql.run(`UPDATE subscription SET since_message = ? WHERE user_id = ? AND is_active = 1`, message, userId)
}
