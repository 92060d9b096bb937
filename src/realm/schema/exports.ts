/** Step `exports-and-retention` of the schema. */
export const EXPORT_STATEMENTS: readonly string[] = [
  // consenting: JSON list of ids at the start; progress: JSON (domain/exports/export-progress.ts), null when
  // nothing is left to do; tries: runs since the last progress; size: bytes of the archive.
  `CREATE TABLE realm_export (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type INTEGER NOT NULL,
    acting_user_id INTEGER NOT NULL,
    origin TEXT NOT NULL,
    secret TEXT NOT NULL,
    newest_message_id INTEGER NOT NULL,
    consenting TEXT NOT NULL,
    started_at REAL NOT NULL,
    finished_at REAL,
    failed_at REAL,
    deleted_at REAL,
    progress TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    size INTEGER
  )`,
  // The parts of an unfinished archive, in order: chunks that are stored ready (name is null), and uploads
  // that are still to be wrapped. start, length: bytes in the archive; size: of the object in R2.
  `CREATE TABLE realm_export_piece (
    export_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    start INTEGER NOT NULL,
    length INTEGER NOT NULL,
    key TEXT NOT NULL,
    size INTEGER NOT NULL,
    name TEXT,
    PRIMARY KEY (export_id, position)
  ) WITHOUT ROWID`,
  // Periods of retention could be set before anything was deleted: they apply from now on.
  `INSERT OR IGNORE INTO job (kind, key, due_at) SELECT 'expire-messages', '', unixepoch() + 86400
   WHERE EXISTS (SELECT 1 FROM channel WHERE retention_days > 0)
     OR EXISTS (SELECT 1 FROM realm_setting WHERE name = 'message_retention_days' AND value <> '-1')`,
]
