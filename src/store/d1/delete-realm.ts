/** The organization whose rows are deleted. */
interface DeletedRealm {
  readonly id: number
  readonly host: string
}

/**
 * The tables that have rows of an organization, except the list of organizations. Each with the key of its
 * rows, and the condition that selects the organization's (`?1`).
 */
const TABLES = {
  message_body: { key: 'message_id', which: 'realm_id = ?1' },
  message_search: { key: 'rowid', which: 'rowid > (?1 << 32) AND rowid < ((?1 + 1) << 32)' },
  // Every new key would have to pay for an index by realm, so all of the deployment's rows are read.
  api_key_digest: { key: 'digest', which: 'realm_id = ?1' },
} as const

export type RealmTable = keyof typeof TABLES

export const REALM_TABLES = Object.keys(TABLES) as readonly RealmTable[]

/** Deletes up to `limit` rows of an organization, and returns whether any are left. */
export async function deleteRealmRows(
  db: D1Database,
  realmId: number,
  table: RealmTable,
  limit: number,
): Promise<boolean> {
  const { key, which } = TABLES[table]
  const [, left] = await db.batch([
    db
      .prepare(
        `DELETE FROM ${table} WHERE ${which} AND ${key} IN (SELECT ${key} FROM ${table} WHERE ${which} LIMIT ?2)`,
      )
      .bind(realmId, limit),
    db.prepare(`SELECT 1 FROM ${table} WHERE ${which} LIMIT 1`).bind(realmId),
  ])
  return left!.results.length > 0
}

/** Deletes the organization's cursor in a database: batches that arrive later find none, and are refused. */
export async function deleteProjection(db: D1Database, realmId: number): Promise<void> {
  await db.prepare(`DELETE FROM projection WHERE realm_id = ?`).bind(realmId).run()
}

/** Deletes the last rows: the cursor, the tickets, and the entry in the list, which frees the host. */
export async function deleteRealm(db: D1Database, { id, host }: DeletedRealm): Promise<void> {
  await db.batch([
    db.prepare(`DELETE FROM organization_ticket WHERE host = ?`).bind(host),
    db.prepare(`DELETE FROM projection WHERE realm_id = ?`).bind(id),
    // If D1 was restored from a copy, the id or the host may belong to another organization.
    db.prepare(`DELETE FROM realm WHERE id = ? AND host = ?`).bind(id, host),
  ])
}
