/** Tables of invitations, domains and mail, and of bots. A part of step 1 of the schema. */
export const JOINING_TABLES: readonly string[] = [
  // Invitations by mail and links that anybody may use: two number spaces, one shape. Lists are JSON.
  ...['invitation', 'invitation_link'].map(
    (table) => `CREATE TABLE ${table} (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          secret TEXT NOT NULL UNIQUE,
          email TEXT,
          referrer_id INTEGER NOT NULL,
          invited_at INTEGER NOT NULL,
          expires_at INTEGER,
          invite_as INTEGER NOT NULL,
          notifies_referrer INTEGER NOT NULL,
          channel_ids TEXT NOT NULL,
          group_ids TEXT NOT NULL,
          joins_default_channels INTEGER NOT NULL,
          welcome_text TEXT,
          origin TEXT NOT NULL,
          state TEXT NOT NULL DEFAULT 'pending'
        )`,
  ),
  // Domains for accounts' addresses while emails_restricted_to_domains is on.
  `CREATE TABLE realm_domain (
        domain TEXT PRIMARY KEY, allows_subdomains INTEGER NOT NULL DEFAULT 0
      ) WITHOUT ROWID`,
  // Pending mail; in local development sent mail stays, to be shown.
  `CREATE TABLE email (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        recipient TEXT NOT NULL,
        subject TEXT NOT NULL,
        body TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        sent_at INTEGER
      )`,
  // Settings that a bot's owner made, beside the account; bots without any have no row. service_*: of an
  // outgoing webhook. warned_at: when the owner was last notified of a failure.
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
  `CREATE TABLE bot_storage (
        user_id INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (user_id, key)
      ) WITHOUT ROWID`,
  // Messages that are pending for an outgoing webhook; message: JSON, as it was when it was sent.
  `CREATE TABLE webhook_call (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        bot_id INTEGER NOT NULL,
        cause TEXT NOT NULL,
        message TEXT NOT NULL,
        origin TEXT NOT NULL,
        due_at INTEGER NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0
      )`,
]
