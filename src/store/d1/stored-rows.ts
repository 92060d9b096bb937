import { readPatiently } from './ask-d1.ts'

/** Lists the messages of one realm in (above, upTo] that have a body, with its version. */
export async function listBodyVersions(
  db: D1Database,
  realmId: number,
  above: number,
  upTo: number,
): Promise<Map<number, number>> {
  const query = db
    .prepare(
      `SELECT message_id AS id, version FROM message_body WHERE realm_id = ? AND message_id > ? AND message_id <= ?`,
    )
    .bind(realmId, above, upTo)
  const { results } = await readPatiently(() => query.all<{ id: number; version: number }>())
  return new Map(results.map(({ id, version }) => [id, version]))
}

/** Lists the first messages of one realm above `after` that have a body in a database. */
export async function listBodyIds(
  db: D1Database,
  realmId: number,
  after: number,
  limit: number,
): Promise<readonly number[]> {
  const query = db
    .prepare(
      `SELECT message_id AS id FROM message_body WHERE realm_id = ? AND message_id > ? ORDER BY message_id LIMIT ?`,
    )
    .bind(realmId, after, limit)
  const { results } = await readPatiently(() => query.all<{ id: number }>())
  return results.map(({ id }) => id)
}

/**
 * Lists the messages that the search index has, with the number of trigrams that it has counted in each text. FTS5 keeps
 * these numbers in a table of its own ("The FTS5 data structures" in SQLite's documentation), as numbers of seven bits a byte.
 */
export async function listSearchable(
  db: D1Database,
  realmId: number,
  above: number,
  upTo: number,
): Promise<Map<number, number>> {
  const query = db
    .prepare(
      `SELECT id - (?1 << 32) AS id, hex(sz) AS size FROM message_search_docsize
       WHERE id > (?1 << 32) + CAST(?2 AS INTEGER) AND id <= (?1 << 32) + CAST(?3 AS INTEGER)`,
    )
    .bind(realmId, above, upTo)
  const { results } = await readPatiently(() => query.all<{ id: number; size: string }>())
  return new Map(results.map(({ id, size }) => [id, numberIn(Buffer.from(size, 'hex'))]))
}

function numberIn(bytes: Uint8Array): number {
  return bytes.reduce((number, byte) => number * 128 + (byte & 127), 0)
}
