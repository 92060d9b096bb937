/** Tables of what users have set for themselves. A part of step 1 of the schema. */
export const PERSONAL_TABLES: readonly string[] = [
  // What users have set for topics, for themselves, and about each other.
  `CREATE TABLE user_topic (
        user_id INTEGER NOT NULL,
        channel_id INTEGER NOT NULL,
        name_key TEXT NOT NULL,
        name TEXT NOT NULL,
        policy INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        PRIMARY KEY (user_id, channel_id, name_key)
      ) WITHOUT ROWID`,
  // Moves and mentions need everybody's policies for a topic.
  `CREATE INDEX user_topic_by_topic ON user_topic (channel_id, name_key)`,
  `CREATE TABLE user_status (
        user_id INTEGER PRIMARY KEY,
        status_text TEXT NOT NULL,
        emoji_name TEXT NOT NULL,
        emoji_code TEXT NOT NULL,
        reaction_type TEXT NOT NULL
      )`,
  `CREATE TABLE muted_user (
        user_id INTEGER NOT NULL,
        muted_user_id INTEGER NOT NULL,
        muted_at INTEGER NOT NULL,
        PRIMARY KEY (user_id, muted_user_id)
      ) WITHOUT ROWID`,
  `CREATE INDEX muted_user_by_muted ON muted_user (muted_user_id)`,
  `CREATE TABLE alert_word (
        user_id INTEGER NOT NULL,
        word_key TEXT NOT NULL,
        word TEXT NOT NULL,
        PRIMARY KEY (user_id, word_key)
      ) WITHOUT ROWID`,
  `CREATE TABLE saved_snippet (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL,
        title TEXT NOT NULL,
        content TEXT NOT NULL,
        created_at INTEGER NOT NULL
      )`,
  `CREATE INDEX saved_snippet_by_user ON saved_snippet (user_id)`,
  // recipients: JSON list of ids, of a channel or of people; edited_at: UNIX seconds with microseconds.
  `CREATE TABLE draft (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL,
        type TEXT NOT NULL,
        recipients TEXT NOT NULL,
        topic TEXT NOT NULL,
        content TEXT NOT NULL,
        edited_at REAL NOT NULL
      )`,
  `CREATE INDEX draft_by_user ON draft (user_id)`,
]
