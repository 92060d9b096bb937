/** Tables of files, whose bytes are in R2. A part of step 1 of the schema. */
export const FILE_TABLES: readonly string[] = [
  // path: what follows /user_uploads/ in its address; created_at: UNIX milliseconds.
  `CREATE TABLE attachment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    owner_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  )`,
  `CREATE INDEX attachment_by_owner ON attachment (owner_id)`,
  // The messages that link to it decide who may read it.
  `CREATE TABLE attachment_message (
    attachment_id INTEGER NOT NULL, message_id INTEGER NOT NULL, PRIMARY KEY (attachment_id, message_id)
  ) WITHOUT ROWID`,
  `CREATE INDEX attachment_message_by_message ON attachment_message (message_id)`,
  `CREATE TABLE attachment_scheduled (
    scheduled_id INTEGER NOT NULL, attachment_id INTEGER NOT NULL, PRIMARY KEY (scheduled_id, attachment_id)
  ) WITHOUT ROWID`,
  `CREATE INDEX attachment_scheduled_by_attachment ON attachment_scheduled (attachment_id)`,
  // Orphans in R2: deleted files, and uploads that have only begun.
  `CREATE TABLE file_removal (key TEXT PRIMARY KEY, due_at INTEGER NOT NULL) WITHOUT ROWID`,
]
