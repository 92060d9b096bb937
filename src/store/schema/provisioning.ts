/** Provisioning by an identity provider (SCIM): its tokens, and what it knows of accounts and groups. */
export const PROVISIONING_TABLES: readonly string[] = [
  // The token, and for some days the one before it, which has a use_before (UNIX seconds). digest: SHA-256; only the identity provider has the
  // token itself. manages_owners, 1: it may make and reactivate owners, and change their roles and addresses.
  `CREATE TABLE scim_token (
    digest TEXT PRIMARY KEY,
    made_at INTEGER NOT NULL,
    made_by INTEGER NOT NULL,
    used_at INTEGER,
    use_before INTEGER,
    manages_owners INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID`,
  // An identity provider's attributes of an account beside those that everybody sees. is_removed, 1: it has deleted the account, and does not find it
  // any more; or what the account said about its person was deleted. changed_at: UNIX seconds.
  `CREATE TABLE scim_user (
    user_id INTEGER PRIMARY KEY,
    external_id TEXT,
    given_name TEXT,
    family_name TEXT,
    is_removed INTEGER NOT NULL DEFAULT 0,
    changed_at INTEGER NOT NULL
  )`,
  `CREATE INDEX scim_user_by_external_id ON scim_user (external_id) WHERE external_id IS NOT NULL`,
  `CREATE INDEX scim_user_removed ON scim_user (user_id) WHERE is_removed = 1`,
  // Groups that an identity provider has made or changed. is_removed, 1: it has deleted the group, and may make it again.
  `CREATE TABLE scim_group (
    group_id INTEGER PRIMARY KEY,
    external_id TEXT,
    is_removed INTEGER NOT NULL DEFAULT 0,
    changed_at INTEGER NOT NULL
  )`,
  `CREATE INDEX scim_group_by_external_id ON scim_group (external_id) WHERE external_id IS NOT NULL`,
]
