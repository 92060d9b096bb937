import type { AccountInD1 } from '../../core/account-in-d1.ts'
import { fromPrimary, readPatiently } from './ask-d1.ts'

interface StoredAccount {
  readonly user_id: number
  readonly full_name: string
  readonly role: number
  readonly kind: string
  readonly is_active: number
  readonly joined_at: number
  readonly email_digest: string | null
  readonly key_digest: string
  readonly last_active_on: string | null
}

/** Lists the next accounts of one organization above a user's id, by id. */
export async function listAccounts(
  db: D1Database,
  realmId: number,
  above: number,
  limit: number,
): Promise<AccountInD1[]> {
  const query = db
    .prepare(`SELECT * FROM account WHERE realm_id = ? AND user_id > ? ORDER BY user_id LIMIT ?`)
    .bind(realmId, above, limit)
  const { results } = await readPatiently(() => query.all<StoredAccount>())
  return results.map(({ user_id, full_name, role, kind, is_active, joined_at, ...rest }) => ({
    row: [user_id, full_name, role, kind, is_active, joined_at, rest.email_digest, rest.key_digest],
    lastActiveOn: rest.last_active_on,
  }))
}

/** Whether this is the key of an account in some other organization. `digest` is lower-case hex SHA-256. */
export async function isKeyOfOtherRealm(db: D1Database, digest: string, realmId: number): Promise<boolean> {
  const query = db
    .prepare(
      `SELECT realm_id FROM account WHERE key_digest = ?1
       UNION ALL SELECT realm_id FROM api_key_digest WHERE digest = ?1 LIMIT 1`,
    )
    .bind(digest)
  const row = await readPatiently(() => query.first<{ realm_id: number }>())
  return row !== null && row.realm_id !== realmId
}

/** An organization in which a person has an account. */
export interface OrganizationOfPerson {
  readonly host: string
  readonly name: string
  readonly role: number
}

/** Lists the organizations in which an active account has this confirmed address, by name. `digests`: of the address, with each key. */
export async function listOrganizationsOf(
  db: D1Database,
  digests: readonly string[],
  limit: number,
): Promise<OrganizationOfPerson[]> {
  const { results } = await fromPrimary(db, (from) =>
    from
      .prepare(
        `SELECT realm.host, realm.name, account.role FROM account JOIN realm ON realm.id = account.realm_id
         WHERE account.email_digest IN (SELECT value FROM json_each(?)) AND account.is_active = 1
           AND realm.is_closed = 0 AND realm.delete_after IS NULL
         ORDER BY realm.name, realm.host LIMIT ?`,
      )
      .bind(JSON.stringify(digests), limit)
      .all<OrganizationOfPerson>(),
  )
  return results
}
