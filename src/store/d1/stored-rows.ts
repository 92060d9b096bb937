import { readPatiently } from './d1-failure.ts'

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

/** Lists the messages that the search index has. */
export async function listSearchable(
  db: D1Database,
  realmId: number,
  above: number,
  upTo: number,
): Promise<Set<number>> {
  const query = db
    .prepare(
      `SELECT rowid - (?1 << 32) AS id FROM message_search
       WHERE rowid > (?1 << 32) + CAST(?2 AS INTEGER) AND rowid <= (?1 << 32) + CAST(?3 AS INTEGER)`,
    )
    .bind(realmId, above, upTo)
  const { results } = await readPatiently(() => query.all<{ id: number }>())
  return new Set(results.map(({ id }) => id))
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
