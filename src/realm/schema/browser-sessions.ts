/** Step `browser-sessions` of the schema. */
export const BROWSER_SESSION_TABLES: readonly string[] = [
  // Only the browser has the token itself.
  `CREATE TABLE browser_session (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    began_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    user_agent TEXT NOT NULL
  )`,
  `CREATE INDEX browser_session_of_user ON browser_session (user_id)`,
  `CREATE INDEX browser_session_by_use ON browser_session (used_at)`,
]
