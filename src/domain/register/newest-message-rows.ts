import type { Sql } from '../../core/sql.ts'

/** Returns the newest message to each of these recipients (core/recipient-id.ts) that has any. */
export function newestMessagesToEach(sql: Sql, recipientIds: readonly number[]): Map<number, number> {
  if (recipientIds.length === 0) return new Map()
  const rows = sql.all<{ recipient: number; id: number | null }>(
    `SELECT value AS recipient, (SELECT MAX(id) FROM message_index WHERE recipient_id = value) AS id
     FROM json_each(?)`,
    JSON.stringify(recipientIds),
  )
  return new Map(rows.flatMap(({ recipient, id }) => (id === null ? [] : [[recipient, id] as const])))
}
