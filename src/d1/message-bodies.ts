import { BODIES_AT_ONCE } from '../core/budgets.ts'
import type { MessageBody } from '../core/command.ts'
import { absentBody } from '../core/lost-body.ts'
import { readPatiently } from './read-patiently.ts'

interface BodyRow {
  message_id: number
  /** Null, as all that follows, where there is no body. */
  version: number | null
  content: string
  rendered_content: string
  edit_history: string
}

/**
 * Bodies of one realm's messages by id, in one query: as many as fit (see BodyReader). Their lengths are read
 * first, without the texts. Those that D1 does not have are of version -1.
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
         SELECT value AS id, SUM(
             ifnull(octet_length(content) + octet_length(rendered_content) + octet_length(edit_history), 0)
           ) OVER (ORDER BY value ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
         FROM json_each(?2) LEFT JOIN message_body ON realm_id = ?1 AND message_id = value
       )
       SELECT id AS message_id, version, content, rendered_content, edit_history
       FROM wanted LEFT JOIN message_body ON realm_id = ?1 AND message_id = id
       WHERE ifnull(bytes_before, 0) < ?3`,
    )
    .bind(realmId, JSON.stringify(ids), BODIES_AT_ONCE)
  const { results } = await readPatiently(() => query.all<BodyRow>())
  return new Map(results.map((row) => [row.message_id, bodyOf(row)]))
}

function bodyOf({ version, ...row }: BodyRow): MessageBody {
  if (version === null) return absentBody(row.message_id)
  return {
    id: row.message_id,
    version,
    content: row.content,
    renderedContent: row.rendered_content,
    editHistory: JSON.parse(row.edit_history) as unknown[],
  }
}
