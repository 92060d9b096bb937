import type { Sql } from '../../core/sql.ts'

/** Number of recipients of one statement: SQLite takes texts of 2 MB. */
const AT_ONCE = 10_000

/** Returns the newest message to each of these recipients (core/recipient-id.ts) that has any. */
export function newestMessagesToEach(sql: Sql, recipientIds: readonly number[]): Map<number, number> {
  const newest = new Map<number, number>()
  for (let at = 0; at < recipientIds.length; at += AT_ONCE) {
    const rows = sql.all<{ recipient: number; id: number | null }>(
      `SELECT value AS recipient, (SELECT MAX(id) FROM message_index WHERE recipient_id = value) AS id
       FROM json_each(?)`,
      JSON.stringify(recipientIds.slice(at, at + AT_ONCE)),
    )
    for (const { recipient, id } of rows) if (id !== null) newest.set(recipient, id)
  }
  return newest
}
