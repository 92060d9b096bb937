/** Step `holds`: people and channels whose messages and files must be kept. */
export const HOLDS: readonly string[] = [
  // Either user_id or channel_id. reason: words of the owner who has placed it. placed_at: UNIX seconds.
  `CREATE TABLE hold (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER UNIQUE,
    channel_id INTEGER UNIQUE,
    reason TEXT NOT NULL,
    placed_by INTEGER NOT NULL,
    placed_at INTEGER NOT NULL
  )`,
]
