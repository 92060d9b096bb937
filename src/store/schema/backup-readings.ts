/** Step `backup-readings`: comparisons with backups, and parts that are given back from them. */
export const BACKUP_READINGS: readonly string[] = [
  // part: JSON, what is given back; NULL for a comparison. progress: JSON, NULL when nothing is left to do. tries: runs since the last
  // progress. counts: JSON, by name.
  `CREATE TABLE backup_reading (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    backup_id INTEGER NOT NULL,
    asked_by INTEGER NOT NULL,
    part TEXT,
    began_at REAL NOT NULL,
    finished_at REAL,
    failed_at REAL,
    progress TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    counts TEXT NOT NULL DEFAULT '{}'
  )`,
  // What the reading under way has found in the backup and still needs, by kind; key: a number, or a list as JSON. Deleted at its end.
  `CREATE TABLE backup_finding (kind TEXT NOT NULL, key NOT NULL, value TEXT, PRIMARY KEY (kind, key)) WITHOUT ROWID`,
  // What differs, by the comparison; of: people, channels or messages. details: JSON.
  `CREATE TABLE backup_difference (
    reading_id INTEGER NOT NULL,
    of TEXT NOT NULL,
    difference TEXT NOT NULL,
    id INTEGER NOT NULL,
    details TEXT NOT NULL,
    PRIMARY KEY (reading_id, of, difference, id)
  ) WITHOUT ROWID`,
]
