/** Accounts, user groups and bots. */
export const PEOPLE_TABLES: readonly string[] = [
  // name_key: nameKey (core/names.ts), which SQLite cannot make. is_email_confirmed, 0: someone has typed the address, and nobody has opened a link
  // that was mailed there. edited_settings: names of the settings that the user has changed, as JSON; not those that an administrator has
  // changed for them. is_deleted, 1: what the account said about its person has been deleted; it stays closed. awaits_login, 1: an
  // administrator, or an import, has made the account, and nobody has logged in to it yet: its person has not joined. is_imported, 1: an import.
  `CREATE TABLE user (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    delivery_email TEXT NOT NULL,
    full_name TEXT NOT NULL,
    role INTEGER NOT NULL,
    role_since_event INTEGER NOT NULL DEFAULT 0,
    is_active INTEGER NOT NULL DEFAULT 1,
    bot_type INTEGER,
    bot_owner_id INTEGER,
    is_system_bot INTEGER NOT NULL DEFAULT 0,
    can_create_users INTEGER NOT NULL DEFAULT 0,
    can_change_emails INTEGER NOT NULL DEFAULT 0,
    joined_at INTEGER NOT NULL,
    timezone TEXT NOT NULL DEFAULT '',
    avatar_source TEXT NOT NULL DEFAULT 'G',
    avatar_version INTEGER NOT NULL DEFAULT 1,
    avatar_path TEXT,
    api_key TEXT NOT NULL,
    password_hash TEXT,
    settings TEXT NOT NULL DEFAULT '{}',
    profile_data TEXT NOT NULL DEFAULT '{}',
    read_floor INTEGER NOT NULL DEFAULT 0,
    name_key TEXT NOT NULL DEFAULT '',
    is_email_confirmed INTEGER NOT NULL DEFAULT 1,
    edited_settings TEXT NOT NULL DEFAULT '[]',
    is_deleted INTEGER NOT NULL DEFAULT 0,
    awaits_login INTEGER NOT NULL DEFAULT 0,
    is_imported INTEGER NOT NULL DEFAULT 0
  )`,
  `CREATE UNIQUE INDEX user_by_email ON user (lower(delivery_email))`,
  // Only bots are in the three indexes: a registration looks for these few among all users.
  `CREATE INDEX user_by_bot_owner ON user (bot_owner_id) WHERE bot_type IS NOT NULL`,
  // Addresses of incoming webhooks have nothing but the key.
  `CREATE INDEX user_by_bot_key ON user (api_key) WHERE bot_type IS NOT NULL`,
  `CREATE INDEX user_by_system_bot ON user (is_system_bot) WHERE is_system_bot = 1`,
  // Few want mail of all messages of a channel: a send reads only those.
  `CREATE INDEX user_mailed ON user (id) WHERE json_extract(settings, '$.enable_stream_email_notifications') = 1`,
  // For the list of all guests, which each change of accounts or subscriptions may need.
  `CREATE INDEX user_guest ON user (role) WHERE role = 600 AND is_active = 1`,
  // A mention names its user: without this, every text with one would read all users.
  `CREATE INDEX user_by_name ON user (name_key)`,
  // Former roles of users: events are filtered by the role at their time.
  `CREATE TABLE role_period (
    user_id INTEGER NOT NULL,
    until_event INTEGER NOT NULL,
    role INTEGER NOT NULL,
    PRIMARY KEY (user_id, until_event)
  ) WITHOUT ROWID`,
  // The eight system groups have ids 1 to 8; their members follow from roles and are not stored.
  `CREATE TABLE user_group (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    creator_id INTEGER,
    created_at INTEGER,
    deactivated INTEGER NOT NULL DEFAULT 0,
    settings TEXT NOT NULL DEFAULT '{}',
    name_key TEXT NOT NULL DEFAULT ''
  )`,
  `CREATE INDEX user_group_by_name ON user_group (name_key)`,
  `CREATE TABLE user_group_member (
    group_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    PRIMARY KEY (group_id, user_id)
  ) WITHOUT ROWID`,
  `CREATE INDEX user_group_member_by_user ON user_group_member (user_id)`,
  // Sets of accounts, packed (core/id-set.ts), by what they are a set of (store/id-set-rows.ts).
  `CREATE TABLE id_set (name TEXT PRIMARY KEY, ids BLOB NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE user_group_subgroup (
    group_id INTEGER NOT NULL,
    subgroup_id INTEGER NOT NULL,
    PRIMARY KEY (group_id, subgroup_id)
  ) WITHOUT ROWID`,
  `CREATE INDEX user_group_subgroup_by_subgroup ON user_group_subgroup (subgroup_id)`,
  // Settings that a bot's owner made, apart from the account; bots without any have no row. service_*: of an outgoing webhook. warned_at: when the
  // owner was last notified of a failure.
  `CREATE TABLE bot_setting (
    user_id INTEGER PRIMARY KEY,
    sending_channel_id INTEGER,
    events_channel_id INTEGER,
    all_public_channels INTEGER NOT NULL DEFAULT 0,
    service_name TEXT,
    service_url TEXT,
    service_interface INTEGER,
    service_token TEXT,
    warned_at INTEGER
  )`,
  // The secret that signs the calls of an outgoing webhook; former: the one before, which also signs until former_until (UNIX seconds).
  `CREATE TABLE webhook_secret (
    bot_id INTEGER PRIMARY KEY,
    secret TEXT NOT NULL,
    former TEXT,
    former_until INTEGER
  )`,
  // Settings that owners of incoming webhooks made; a webhook without any has no row. secrets: with which posts are signed, sealed, the newest first, as
  // JSON. topic_template, text_template: for posts without an integration. notified_at: when the owner was last notified of each kind of failure, as JSON.
  `CREATE TABLE incoming_webhook (
    user_id INTEGER PRIMARY KEY,
    secrets TEXT NOT NULL DEFAULT '[]',
    allows_mentions INTEGER NOT NULL DEFAULT 0,
    topic_template TEXT NOT NULL,
    text_template TEXT NOT NULL,
    notified_at TEXT NOT NULL DEFAULT '{}'
  )`,
  // The last posts to incoming webhooks, numbered for each bot. slot: the row that the number takes, again after the posts that are kept.
  `CREATE TABLE incoming_delivery (
    bot_id INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    integration TEXT NOT NULL,
    event TEXT NOT NULL,
    outcome TEXT NOT NULL,
    error TEXT,
    PRIMARY KEY (bot_id, slot)
  ) WITHOUT ROWID`,
  // Events to which an outgoing webhook is subscribed: JSON (store/bots/bot-setting-rows.ts).
  `CREATE TABLE event_subscription (
    bot_id INTEGER PRIMARY KEY,
    subscriptions TEXT NOT NULL
  )`,
  `CREATE TABLE bot_storage (
    user_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (user_id, key)
  ) WITHOUT ROWID`,
]

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
