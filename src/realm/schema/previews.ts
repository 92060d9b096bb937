/** Schema step 3: previews of websites. */
export const PREVIEW_TABLES: readonly string[] = [
  // What pages were found to say of themselves; image_url NULL: nothing that could be shown.
  `CREATE TABLE seen_website (
    url TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    image_url TEXT,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  // Messages some of whose websites are still to be looked at.
  `CREATE TABLE preview_request (
    message_id INTEGER PRIMARY KEY,
    sender_id INTEGER NOT NULL,
    origin TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0
  )`,
]
