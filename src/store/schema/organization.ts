/** The organization itself: its single values and settings, and what it sets up for all of its members. */
export const ORGANIZATION_TABLES: readonly string[] = [
  // Single values: identity, counters, cursors.
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY) WITHOUT ROWID`,
  // The key that signs addresses of other servers' pictures.
  `INSERT INTO meta (key, value) VALUES ('external_content_key', lower(hex(randomblob(32))))`,
  // An id that no other organization has, on any server (RFC 9562, version 4).
  `INSERT INTO meta (key, value) VALUES ('realm_uuid', lower(
    hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' ||
    substr('89AB', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))
  ))`,
  // Organization properties and permission settings that differ from their default; value is JSON.
  `CREATE TABLE realm_setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
  // Deactivated ones stay: reactions still show them. path, still_path: addresses of the images.
  `CREATE TABLE custom_emoji (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    path TEXT NOT NULL,
    still_path TEXT,
    author_id INTEGER NOT NULL,
    is_deactivated INTEGER NOT NULL DEFAULT 0
  )`,
  `CREATE UNIQUE INDEX custom_emoji_by_name ON custom_emoji (name) WHERE is_deactivated = 0`,
  // example_input, reverse_template: how a client makes the text from an address that was pasted; alternative_url_templates: a JSON list, NULL
  // for none.
  `CREATE TABLE linkifier (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    pattern TEXT NOT NULL,
    url_template TEXT NOT NULL,
    position INTEGER NOT NULL,
    example_input TEXT,
    reverse_template TEXT,
    alternative_url_templates TEXT
  )`,
  `CREATE TABLE playground (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    pygments_language TEXT NOT NULL,
    url_template TEXT NOT NULL
  )`,
  // type: store/profile-fields/field-types.ts; field_data is JSON text, '' where the type has none. is_matched: clients also compare the field's
  // values with what a user types to find people.
  `CREATE TABLE profile_field (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    hint TEXT NOT NULL,
    field_data TEXT NOT NULL,
    in_summary INTEGER NOT NULL,
    is_required INTEGER NOT NULL,
    editable_by_user INTEGER NOT NULL,
    is_matched INTEGER NOT NULL DEFAULT 0
  )`,
  // Domains for accounts' addresses while emails_restricted_to_domains is on.
  `CREATE TABLE realm_domain (
    domain TEXT PRIMARY KEY,
    allows_subdomains INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID`,
  // Who did what to accounts, keys, rights and data. action: one of AUDIT_ACTIONS; actor_id: null where it is not known; address: of the client,
  // as the Worker saw it; details: JSON (store/audit-log/audit-entry-rows.ts).
  `CREATE TABLE audit_entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at REAL NOT NULL,
    action TEXT NOT NULL,
    actor_id INTEGER,
    address TEXT,
    details TEXT NOT NULL
  )`,
  // For reading the entries of one account, and finding the oldest of accounts with too many.
  `CREATE INDEX audit_entry_by_actor ON audit_entry (actor_id, id)`,
]
