import { readPatiently } from './d1-failure.ts'

/** Whether this is the key of an account in some other organization. `digest` is lower-case hex SHA-256. */
export async function isKeyOfOtherRealm(db: D1Database, digest: string, realmId: number): Promise<boolean> {
  const query = db.prepare(`SELECT realm_id FROM api_key_digest WHERE digest = ?`).bind(digest)
  const row = await readPatiently(() => query.first<{ realm_id: number }>())
  return row !== null && row.realm_id !== realmId
}
