/** Tables of the log, of its readers, of jobs and of presence. A part of step 1 of the schema. */
export const LOG_TABLES: readonly string[] = [
  // The log (docs/decisions/design.md#the-log-is-the-only-stream): event ids rise and are never reused; the newest row is never trimmed.
  `CREATE TABLE log (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        audience TEXT,
        event TEXT,
        writes TEXT
      )`,
  // A queue is a cursor on the log, not a copy. acked and seen_at are saved coarsely.
  `CREATE TABLE queue (
        id TEXT PRIMARY KEY,
        user_id INTEGER NOT NULL,
        start_event INTEGER NOT NULL,
        acked_event INTEGER NOT NULL,
        seen_at INTEGER NOT NULL,
        lifespan INTEGER NOT NULL,
        options TEXT NOT NULL
      ) WITHOUT ROWID`,
  `CREATE TABLE job (
        kind TEXT NOT NULL, key TEXT NOT NULL, due_at INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (kind, key)
      ) WITHOUT ROWID`,
  // Presence, packed: JSON list of [user id, active at | null, connected at, update id] for 256 users in a
  // row; saved lazily (domain/presence/presence-memory.ts).
  `CREATE TABLE presence_block (block INTEGER PRIMARY KEY, entries TEXT NOT NULL)`,
]
