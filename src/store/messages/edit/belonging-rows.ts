import { CHANGES_OF_COMMIT, ROWS_OF_TURN } from '../../../core/budgets.ts'
import type { Sql } from '../../../core/sql.ts'

/** A link to a file, whose owner is notified of all others, and a reminder, which has a job and an event, count as so many rows. */
const WEIGHT = {
  link: 30,
  reminder: Math.ceil(ROWS_OF_TURN / CHANGES_OF_COMMIT),
} as const

/**
 * Returns how many of these messages, from the first on, have no more than `limit` rows of reactions, submessages, flags, links to files
 * and reminders together: one at least.
 */
export function countWithin(sql: Sql, messageIds: readonly number[], limit: number): number {
  let [count, rows] = [0, 0]
  const weights = sql.each<{ rows: number }>(
    `SELECT (SELECT count(*) FROM (
         SELECT 1 FROM reaction WHERE message_id = m.value
         UNION ALL SELECT 1 FROM submessage WHERE message_id = m.value
         UNION ALL SELECT 1 FROM message_flag WHERE message_id = m.value LIMIT ?2))
       + ${WEIGHT.link} * (SELECT count(*) FROM attachment_message WHERE message_id = m.value)
       + ${WEIGHT.reminder} * (SELECT count(*) FROM (SELECT 1 FROM reminder WHERE message_id = m.value LIMIT ?2)) AS rows
     FROM json_each(?1) m`,
    JSON.stringify(messageIds),
    limit,
  )
  for (const one of weights) {
    rows += one.rows
    if (count > 0 && rows > limit) break
    count += 1
  }
  return count
}
