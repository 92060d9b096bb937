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

/** Lists those digests of API keys that are stored as this realm's. */
export async function listKeyDigests(
  db: D1Database,
  realmId: number,
  digests: readonly string[],
): Promise<Set<string>> {
  const query = db
    .prepare(
      `SELECT digest FROM api_key_digest WHERE realm_id = ? AND digest IN (SELECT value FROM json_each(?))`,
    )
    .bind(realmId, JSON.stringify(digests))
  const { results } = await readPatiently(() => query.all<{ digest: string }>())
  return new Set(results.map(({ digest }) => digest))
}

/** Whether this is the key of an account in some other organization. `digest` is lower-case hex SHA-256. */
export async function isKeyOfOtherRealm(db: D1Database, digest: string, realmId: number): Promise<boolean> {
  const query = db.prepare(`SELECT realm_id FROM api_key_digest WHERE digest = ?`).bind(digest)
  const row = await readPatiently(() => query.first<{ realm_id: number }>())
  return row !== null && row.realm_id !== realmId
}
