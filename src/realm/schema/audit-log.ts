/** Step `audit-log` of the schema: who did what to accounts, keys, rights and data. */
export const AUDIT_LOG_TABLES: readonly string[] = [
  // action: one of AUDIT_ACTIONS; actor_id: null where it is not known; address: of the client, as the Worker
  // saw it; details: JSON (domain/audit-log/audit-entry-rows.ts).
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
