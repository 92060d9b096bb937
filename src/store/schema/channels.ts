/** Channels, subscriptions, topics and direct conversations. */
export const CHANNEL_TABLES: readonly string[] = [
  // properties: JSON of those of core/channel-properties.ts that were ever set.
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
    properties TEXT NOT NULL DEFAULT '{}',
    folder_id INTEGER,
    settings TEXT NOT NULL DEFAULT '{}',
    is_recently_active INTEGER NOT NULL DEFAULT 1,
    weekly_traffic INTEGER
  )`,
  `CREATE UNIQUE INDEX channel_by_name ON channel (name_key)`,
  // For visitors without an account, whose requests then need not read every channel.
  `CREATE INDEX channel_web_public ON channel (id) WHERE is_web_public = 1 AND is_private = 0`,
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
  // The row stays when someone leaves, with the personal settings; since_* start the present period.
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
  // Few want mail of all messages of a channel: a send reads only those.
  `CREATE INDEX subscription_mailed ON subscription (channel_id) WHERE email_notifications = 1`,
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
  // move_id, moved_up_to: the last of the topic's own moves, and its up_to: messages that took part in it have the topic's spelling.
  `CREATE TABLE topic (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    channel_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    move_id INTEGER,
    moved_up_to INTEGER
  )`,
  `CREATE UNIQUE INDEX topic_by_name ON topic (channel_id, name_key)`,
  // Topics without messages, which are deleted after a month. since: UNIX seconds at which the last message was deleted.
  `CREATE TABLE emptied_topic (topic_id INTEGER PRIMARY KEY, since INTEGER NOT NULL)`,
  // Without it each turn that deletes some would read all of them.
  `CREATE INDEX emptied_topic_by_time ON emptied_topic (since)`,
  // A direct conversation is the set of its participants: ascending ids, comma-joined.
  `CREATE TABLE conversation (id INTEGER PRIMARY KEY AUTOINCREMENT, members TEXT NOT NULL UNIQUE)`,
  `CREATE TABLE conversation_member (
    user_id INTEGER NOT NULL,
    conversation_id INTEGER NOT NULL,
    PRIMARY KEY (user_id, conversation_id)
  ) WITHOUT ROWID`,
]
