import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'

/** Number of recipients of one statement: SQLite takes texts of 2 MB. */
const AT_ONCE = 10_000

interface NewestMessage {
  readonly recipient: number
  /** Id of the newest message to the recipient. */
  readonly id: number
}

/** Returns those of these recipients (core/recipient-id.ts) that have the newest messages, at most `limit`, with those: newest first. */
export function newestMessagesToEach(
  sql: Sql,
  recipientIds: readonly number[],
  limit: number,
): NewestMessage[] {
  const newest: NewestMessage[] = []
  for (let at = 0; at < recipientIds.length; at += AT_ONCE) {
    // In one row, since there may be a thousand.
    const { found } = sql.first<{ found: JsonText<[recipient: number, id: number][]> }>(
      `SELECT json_group_array(json_array(recipient, id)) AS found FROM (
         SELECT value AS recipient, (SELECT MAX(id) FROM message_index WHERE recipient_id = value) AS id
         FROM json_each(?) ORDER BY id DESC LIMIT ?)
       WHERE id IS NOT NULL`,
      JSON.stringify(recipientIds.slice(at, at + AT_ONCE)),
      limit,
    )!
    newest.push(...fromJson(found).map(([recipient, id]) => ({ recipient, id })))
  }
  return newest.sort((a, b) => b.id - a.id).slice(0, limit)
}
