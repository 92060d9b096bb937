import { BODIES_AT_ONCE, type MessageBody } from '../core/command.ts'
import { readPatiently } from './read-patiently.ts'

interface BodyRow {
  message_id: number
  version: number
  content: string
  rendered_content: string
  edit_history: string
}

/**
 * Bodies of one realm's messages by id, in one query: as many as fit (see BodyReader). Their lengths are read
 * first, without the texts.
 */
export async function fetchMessageBodies(
  db: D1Database,
  realmId: number,
  ids: readonly number[],
): Promise<Map<number, MessageBody>> {
  if (ids.length === 0) return new Map()
  const query = db
    .prepare(
      `WITH wanted AS (
         SELECT message_id, SUM(octet_length(content) + octet_length(rendered_content) + octet_length(edit_history))
           OVER (ORDER BY message_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
         FROM message_body WHERE realm_id = ?1 AND message_id IN (SELECT value FROM json_each(?2))
       )
       SELECT message_id, version, content, rendered_content, edit_history
       FROM wanted CROSS JOIN message_body USING (message_id)
       WHERE realm_id = ?1 AND ifnull(bytes_before, 0) < ?3`,
    )
    .bind(realmId, JSON.stringify(ids), BODIES_AT_ONCE)
  const { results } = await readPatiently(() => query.all<BodyRow>())
  return new Map(results.map((row) => [row.message_id, bodyOf(row)]))
}

function bodyOf(row: BodyRow): MessageBody {
  return {
    id: row.message_id,
    version: row.version,
    content: row.content,
    renderedContent: row.rendered_content,
    editHistory: JSON.parse(row.edit_history) as unknown[],
  }
}
