/** Tables of devices that get push notifications. A part of step 1 of the schema. */
export const PUSH_TABLES: readonly string[] = [
  // account_id is the client's own number, as text: it may need 64 bits. Neither device_id nor error_code: pending.
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
