/** Schema step 3: previews of websites. */
export const PREVIEW_TABLES: readonly string[] = [
  // Descriptions that pages gave of themselves; image_url NULL: nothing to show.
  `CREATE TABLE seen_website (
    url TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    image_url TEXT,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  // Messages with websites that are still to be looked at.
  `CREATE TABLE preview_request (
    message_id INTEGER PRIMARY KEY,
    sender_id INTEGER NOT NULL,
    origin TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0
  )`,
]
