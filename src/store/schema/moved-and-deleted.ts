/** Step `moved-and-deleted`: where messages were last that had been moved between channels, and are deleted. */
export const MOVED_AND_DELETED: readonly string[] = [
  // A backup may have such a message where it was before. deleted_at: UNIX seconds.
  `CREATE TABLE moved_and_deleted (
    message_id INTEGER PRIMARY KEY,
    channel_id INTEGER NOT NULL,
    deleted_at INTEGER NOT NULL
  )`,
]
