/** Is this the key of an account in some other organization? `digest` is lower-case hex SHA-256. */
export async function isKeyOfOtherRealm(db: D1Database, digest: string, realmId: number): Promise<boolean> {
  const row = await db
    .prepare(`SELECT realm_id FROM api_key_digest WHERE digest = ?`)
    .bind(digest)
    .first<{ realm_id: number }>()
  return row !== null && row.realm_id !== realmId
}
