/** Things that users have set and written for themselves. */
export const PERSONAL_TABLES: readonly string[] = [
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
  // since_message_id: the newest message when someone was muted. It follows from it which of their messages arrived read, without a row for
  // each of thousands who have muted them.
  `CREATE TABLE muted_user (
    user_id INTEGER NOT NULL,
    muted_user_id INTEGER NOT NULL,
    muted_at INTEGER NOT NULL,
    since_message_id INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, muted_user_id)
  ) WITHOUT ROWID`,
  `CREATE INDEX muted_user_by_muted ON muted_user (muted_user_id)`,
  // Mutes that have ended: the messages above one id and up to the other were sent meanwhile.
  `CREATE TABLE ended_mute (
    user_id INTEGER NOT NULL,
    muted_user_id INTEGER NOT NULL,
    since_message_id INTEGER NOT NULL,
    until_message_id INTEGER NOT NULL,
    PRIMARY KEY (user_id, muted_user_id, since_message_id)
  ) WITHOUT ROWID`,
  `CREATE INDEX ended_mute_by_muted ON ended_mute (muted_user_id)`,
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
  // Messages to be sent later, by due job. Failed ones wait for their author; of sent ones only the id remains.
  `CREATE TABLE scheduled_message (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending',
    destination TEXT NOT NULL,
    content TEXT NOT NULL,
    rendered_content TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    client TEXT NOT NULL,
    origin TEXT NOT NULL,
    read_by_sender INTEGER NOT NULL
  )`,
  `CREATE INDEX scheduled_message_by_user ON scheduled_message (user_id) WHERE state <> 'sent'`,
  // A reminder keeps its owner's note, and quotes the message's text at delivery.
  `CREATE TABLE reminder (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    content TEXT NOT NULL,
    rendered_content TEXT NOT NULL,
    origin TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    note TEXT NOT NULL DEFAULT ''
  )`,
  `CREATE INDEX reminder_by_user ON reminder (user_id)`,
  // A deleted message deletes its reminders.
  `CREATE INDEX reminder_by_message ON reminder (message_id)`,
  `CREATE TABLE navigation_view (
    user_id INTEGER NOT NULL,
    fragment TEXT NOT NULL,
    is_pinned INTEGER NOT NULL,
    name TEXT,
    PRIMARY KEY (user_id, fragment)
  ) WITHOUT ROWID`,
  // Hints that a user has seen.
  `CREATE TABLE onboarding_step (
    user_id INTEGER NOT NULL,
    step TEXT NOT NULL,
    PRIMARY KEY (user_id, step)
  ) WITHOUT ROWID`,
]
