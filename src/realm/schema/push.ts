/** Tables of devices that get push notifications. A part of step 1 of the schema. */
export const PUSH_TABLES: readonly string[] = [
  // account_id is the client's own number, as text: it may need 64 bits. Neither device_id nor error_code:
  // pending.
  `CREATE TABLE push_device (
    user_id INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    token_kind TEXT NOT NULL,
    public_key TEXT NOT NULL,
    bouncer_public_key TEXT NOT NULL,
    encrypted_registration TEXT NOT NULL,
    requested_at INTEGER NOT NULL,
    device_id TEXT,
    error_code TEXT,
    PRIMARY KEY (user_id, account_id)
  ) WITHOUT ROWID`,
  `CREATE TABLE push_token (
    user_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    token TEXT NOT NULL,
    app_id TEXT,
    PRIMARY KEY (user_id, kind, token)
  ) WITHOUT ROWID`,
]

/** Tables for sending notifications, beside the devices. Step 2 of the schema. */
export const PUSH_NOTIFICATION_TABLES: readonly string[] = [
  // 'new': the bouncer does not know it yet; 'known'; 'gone': removed, and the bouncer must still be
  // notified.
  `ALTER TABLE push_token ADD COLUMN state TEXT NOT NULL DEFAULT 'new'`,
  `CREATE INDEX push_token_untold ON push_token (state) WHERE state <> 'known'`,
  // Messages of which somebody with a device is still to be notified. called: JSON, [user id, why, group id].
  // event_id: a client that has acknowledged it has the message.
  `CREATE TABLE push_call (
    id INTEGER PRIMARY KEY,
    message_id INTEGER NOT NULL,
    called TEXT NOT NULL,
    origin TEXT NOT NULL,
    event_id INTEGER NOT NULL,
    called_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL
  )`,
  // Notifications that a user's devices show: JSON, [message id, why], packed so that many that are read
  // together are one row. is_stale: some of them may have been read, or be gone.
  `CREATE TABLE push_shown (
    user_id INTEGER PRIMARY KEY,
    entries TEXT NOT NULL,
    origin TEXT NOT NULL,
    is_stale INTEGER NOT NULL DEFAULT 0
  )`,
  `CREATE INDEX push_shown_stale ON push_shown (user_id) WHERE is_stale <> 0`,
  // Tokens that were entered before anything was sent.
  `INSERT OR IGNORE INTO job (kind, key, due_at)
   SELECT 'bring-pushes', '', 0 WHERE EXISTS (SELECT 1 FROM push_token)`,
]
