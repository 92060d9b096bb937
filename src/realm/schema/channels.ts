/** Tables of channels, subscriptions, topics and direct conversations. A part of step 1 of the schema. */
export const CHANNEL_TABLES: readonly string[] = [
  `CREATE TABLE channel (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        name_key TEXT NOT NULL,
        description TEXT NOT NULL DEFAULT '',
        rendered_description TEXT NOT NULL DEFAULT '',
        created_at INTEGER NOT NULL,
        creator_id INTEGER,
        is_private INTEGER NOT NULL DEFAULT 0,
        is_web_public INTEGER NOT NULL DEFAULT 0,
        history_public INTEGER NOT NULL DEFAULT 1,
        is_archived INTEGER NOT NULL DEFAULT 0,
        is_default INTEGER NOT NULL DEFAULT 0,
        first_message_id INTEGER,
        retention_days INTEGER,
        topics_policy TEXT NOT NULL DEFAULT 'inherit',
        folder_id INTEGER,
        settings TEXT NOT NULL DEFAULT '{}',
        is_recently_active INTEGER NOT NULL DEFAULT 1,
        weekly_traffic INTEGER
      )`,
  `CREATE UNIQUE INDEX channel_by_name ON channel (name_key)`,
  `CREATE TABLE default_channel_group (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        description TEXT NOT NULL,
        channel_ids TEXT NOT NULL
      )`,
  `CREATE TABLE channel_folder (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        name_key TEXT NOT NULL UNIQUE,
        description TEXT NOT NULL,
        rendered_description TEXT NOT NULL,
        position INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        creator_id INTEGER,
        is_archived INTEGER NOT NULL DEFAULT 0
      )`,
  // The row stays when somebody leaves, with the personal settings; *_since start the present period.
  `CREATE TABLE subscription (
        channel_id INTEGER NOT NULL,
        user_id INTEGER NOT NULL,
        is_active INTEGER NOT NULL,
        since_event INTEGER NOT NULL,
        since_message INTEGER NOT NULL,
        color TEXT NOT NULL,
        is_muted INTEGER NOT NULL DEFAULT 0,
        pin_to_top INTEGER NOT NULL DEFAULT 0,
        desktop_notifications INTEGER,
        audible_notifications INTEGER,
        push_notifications INTEGER,
        email_notifications INTEGER,
        wildcard_mentions_notify INTEGER,
        PRIMARY KEY (channel_id, user_id)
      ) WITHOUT ROWID`,
  `CREATE INDEX subscription_by_user ON subscription (user_id, is_active)`,
  // Periods that have ended, for events and receipts of that time: (since, until].
  `CREATE TABLE subscription_period (
        user_id INTEGER NOT NULL,
        channel_id INTEGER NOT NULL,
        since_event INTEGER NOT NULL,
        until_event INTEGER NOT NULL,
        since_message INTEGER NOT NULL,
        until_message INTEGER NOT NULL,
        PRIMARY KEY (user_id, channel_id, since_event, until_event)
      ) WITHOUT ROWID`,

  `CREATE TABLE topic (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        channel_id INTEGER NOT NULL,
        name TEXT NOT NULL,
        name_key TEXT NOT NULL
      )`,
  `CREATE UNIQUE INDEX topic_by_name ON topic (channel_id, name_key)`,
  // A direct conversation is the set of its participants: ascending ids, comma-joined.
  `CREATE TABLE conversation (id INTEGER PRIMARY KEY AUTOINCREMENT, members TEXT NOT NULL UNIQUE)`,
  `CREATE TABLE conversation_member (
        user_id INTEGER NOT NULL, conversation_id INTEGER NOT NULL, PRIMARY KEY (user_id, conversation_id)
      ) WITHOUT ROWID`,
  // Names of sending clients.
  `CREATE TABLE client (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)`,
]
