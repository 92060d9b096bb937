import type { Sql } from '../../core/sql.ts'

/** Returns the newest message to a recipient (core/recipient-id.ts), if there is one. */
export function newestMessageTo(sql: Sql, recipientId: number): number | undefined {
  return (
    sql.first<{ id: number | null }>(
      `SELECT MAX(id) AS id FROM message_index WHERE recipient_id = ?`,
      recipientId,
    )?.id ?? undefined
  )
}
