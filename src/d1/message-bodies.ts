import { BODIES_AT_ONCE, SHORT_BODY } from '../core/budgets.ts'
import type { MessageBody, WantedBody } from '../core/command.ts'
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

/** In bytes. */
const LENGTH = 'octet_length(content) + octet_length(rendered_content) + octet_length(edit_history)'

/**
 * Bodies of one realm's messages: as many as fit (see BodyReader). Those that D1 does not have are of version -1.
 * Two rows are read for one that is short, six for the others.
 */
export async function fetchMessageBodies(
  db: D1Database,
  realmId: number,
  wanted: readonly WantedBody[],
): Promise<Map<number, MessageBody>> {
  const { short, others } = divide(wanted)
  const room = BODIES_AT_ONCE - short.length * SHORT_BODY
  const [found, fitting] = await Promise.all([
    fetchShortBodies(db, realmId, short),
    fetchFittingBodies(db, realmId, others, room),
  ])
  // Those that have become longer, and those that are not there.
  const left = short.filter((id) => !found.has(id))
  const grown = await fetchFittingBodies(db, realmId, left, room)
  return new Map([...found, ...fitting, ...grown])
}

/** Whatever is said of them, no more count as short than half of what is held at once has room for. */
function divide(wanted: readonly WantedBody[]): { short: number[]; others: number[] } {
  const short: number[] = []
  const others: number[] = []
  for (const { id, isShort } of wanted) {
    const isIn = isShort === true && short.length * SHORT_BODY < BODIES_AT_ONCE / 2
    ;(isIn ? short : others).push(id)
  }
  return { short, others }
}

/** Those of them that are no longer than `SHORT_BODY`. */
async function fetchShortBodies(
  db: D1Database,
  realmId: number,
  ids: readonly number[],
): Promise<Map<number, MessageBody>> {
  if (ids.length === 0) return new Map()
  const query = db
    .prepare(
      `SELECT message_id, version, content, rendered_content, edit_history
       FROM json_each(?2) CROSS JOIN message_body ON realm_id = ?1 AND message_id = value
       WHERE ${LENGTH} <= ?3`,
    )
    .bind(realmId, JSON.stringify(ids), SHORT_BODY)
  const { results } = await readPatiently(() => query.all<BodyRow>())
  return byId(results)
}

/** As many of the first of them as have room, and one at least; in one query, which reads their lengths before the texts. */
async function fetchFittingBodies(
  db: D1Database,
  realmId: number,
  ids: readonly number[],
  room: number,
): Promise<Map<number, MessageBody>> {
  if (ids.length === 0) return new Map()
  const query = db
    .prepare(
      `WITH wanted AS (
         SELECT value AS id, SUM(ifnull(${LENGTH}, 0))
           OVER (ORDER BY value ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
         FROM json_each(?2) LEFT JOIN message_body ON realm_id = ?1 AND message_id = value
       )
       SELECT id AS message_id, version, content, rendered_content, edit_history
       FROM wanted LEFT JOIN message_body ON realm_id = ?1 AND message_id = id
       WHERE ifnull(bytes_before, 0) < ?3`,
    )
    .bind(realmId, JSON.stringify(ids), room)
  const { results } = await readPatiently(() => query.all<BodyRow>())
  return byId(results)
}

function byId(rows: readonly BodyRow[]): Map<number, MessageBody> {
  return new Map(rows.map((row) => [row.message_id, bodyOf(row)]))
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
