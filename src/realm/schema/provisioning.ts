/** Provisioning by an identity provider (SCIM): its tokens, and what it knows of accounts and groups. */
export const PROVISIONING_TABLES: readonly string[] = [
  // The token, and for some days the one before it, which has a use_before (UNIX seconds). digest: SHA-256; only the identity provider has the
  // token itself. manages_owners, 1: it may make owners, and change their roles and addresses.
  `CREATE TABLE scim_token (
    digest TEXT PRIMARY KEY,
    made_at INTEGER NOT NULL,
    made_by INTEGER NOT NULL,
    used_at INTEGER,
    use_before INTEGER,
    manages_owners INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID`,
]
