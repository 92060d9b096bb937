/** Step `backups`: the organization's backups, and what one needs while it is made. */
export const BACKUPS: readonly string[] = [
  // asked_by: NULL for those of the night. taken_at: the moment of which it is the state; NULL until then. progress: JSON, NULL when nothing
  // is left to do. sent: bytes that the store did not have yet. removed_at: when it was no longer kept; the row goes a day later.
  `CREATE TABLE backup (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    asked_by INTEGER,
    began_at REAL NOT NULL,
    taken_at REAL,
    finished_at REAL,
    failed_at REAL,
    removed_at REAL,
    progress TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    size INTEGER NOT NULL DEFAULT 0,
    sent INTEGER NOT NULL DEFAULT 0,
    digest TEXT,
    contents TEXT
  )`,
  // The chunks of the backup that is being made, in order; part: a table, or 'changes', 'texts', 'files'. row_count: rows in it.
  `CREATE TABLE backup_chunk (
    position INTEGER PRIMARY KEY,
    part TEXT NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    row_count INTEGER NOT NULL
  )`,
  // Rows that have changed since they were copied, by their keys in JSON. Triggers write them while a backup is made.
  `CREATE TABLE backup_mark (part TEXT NOT NULL, key TEXT NOT NULL, is_taken INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (part, key)) WITHOUT ROWID`,
]
