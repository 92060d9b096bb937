/** Mail, calls of webhooks, push notifications and previews, which wait for other servers. */
export const OUTGOING_TABLES: readonly string[] = [
  // Pending mail; in local development sent mail stays, to be shown. `body` has the text; headers: JSON, in addition to those of every mail.
  `CREATE TABLE email (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    sent_at INTEGER,
    due_at INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    first_tried_at INTEGER,
    html TEXT,
    headers TEXT
  )`,
  // New mail goes before mail that has failed.
  `CREATE INDEX email_new ON email (due_at) WHERE sent_at IS NULL AND attempts = 0`,
  `CREATE INDEX email_retried ON email (due_at) WHERE sent_at IS NULL AND attempts > 0`,
  // Messages about which an account is to get mail: JSON, [message id, why, group id, when (UNIX seconds)], oldest first. batch: the last message
  // of those that are due; null until the first of them is.
  `CREATE TABLE missed_mail (
    user_id INTEGER PRIMARY KEY,
    entries TEXT NOT NULL,
    origin TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    batch INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    first_tried_at INTEGER
  )`,
  // Rows that have not failed go first.
  `CREATE INDEX missed_mail_new ON missed_mail (due_at) WHERE attempts = 0`,
  `CREATE INDEX missed_mail_retried ON missed_mail (due_at) WHERE attempts > 0`,
  // A message that mentions so many that they are entered in several turns. notifiable: JSON (store/missed-messages/missed-mail-rows.ts).
  `CREATE TABLE missed_wave (
    message_id INTEGER PRIMARY KEY,
    notifiable TEXT NOT NULL,
    origin TEXT NOT NULL,
    entered_at INTEGER NOT NULL
  )`,
  // The last digest of an account. round: when those of that week were due; since: start of its period; due_at: when it is to be sent, null once
  // it has been. Times in UNIX seconds.
  `CREATE TABLE digest (
    user_id INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,
    since INTEGER NOT NULL,
    origin TEXT NOT NULL,
    due_at INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    first_tried_at INTEGER
  )`,
  `CREATE INDEX digest_due ON digest (due_at) WHERE due_at IS NOT NULL`,
  // An address of an account that permanently takes no mail, by its mail server.
  `CREATE TABLE paused_address (
    user_id INTEGER PRIMARY KEY,
    address TEXT NOT NULL,
    since INTEGER NOT NULL,
    reason TEXT NOT NULL
  )`,
  // Messages and events that are pending for an outgoing webhook; message: JSON, as it was when it was sent, or the event. text_in: the call whose row has the text of
  // this one's message, since a message may call a hundred bots; null: its own. webhook_id: by which the receiver recognizes it, at a dead letter's retry too.
  `CREATE TABLE webhook_call (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    bot_id INTEGER NOT NULL,
    cause TEXT NOT NULL,
    message TEXT NOT NULL,
    origin TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    first_tried_at INTEGER,
    text_in INTEGER,
    webhook_id TEXT NOT NULL
  )`,
  `CREATE INDEX webhook_call_due ON webhook_call (due_at)`,
  `CREATE INDEX webhook_call_bot ON webhook_call (bot_id)`,
  // A deleted message deletes its calls, and the texts of all that wait may be 200 MB.
  `CREATE INDEX webhook_call_by_message ON webhook_call (message ->> '$.id')`,
  `CREATE INDEX webhook_call_by_text ON webhook_call (text_in) WHERE text_in IS NOT NULL`,
  // The newest tries of a bot's calls. id: the time in milliseconds, or one more than the one before. at: UNIX seconds. status: null without an
  // answer; answer: its beginning. event: JSON, where it was no message.
  `CREATE TABLE webhook_delivery (
    bot_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    webhook_id TEXT NOT NULL,
    cause TEXT NOT NULL,
    message_id INTEGER,
    event TEXT,
    at INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    status INTEGER,
    ms INTEGER NOT NULL,
    answer TEXT NOT NULL,
    error TEXT,
    PRIMARY KEY (bot_id, id)
  ) WITHOUT ROWID`,
  // Devices with an id, which get encrypted notifications. push_key: in Base64. Ids of tokens: in Base64 too, as devices give them. pending_*: of
  // the registration that the bouncer has not accepted yet; bouncer_public_key and encrypted_registration only until it has answered.
  `CREATE TABLE client_device (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    push_key TEXT,
    push_key_id INTEGER,
    push_token_id TEXT,
    push_token_kind TEXT,
    pending_push_token_id TEXT,
    pending_push_token_kind TEXT,
    push_token_updated_at INTEGER,
    push_error_code TEXT,
    bouncer_public_key TEXT,
    encrypted_registration TEXT
  )`,
  `CREATE INDEX client_device_by_user ON client_device (user_id)`,
  `CREATE INDEX client_device_with_token ON client_device (user_id) WHERE push_token_id IS NOT NULL`,
  // Registrations of the last day, which have a limit (outgoing/push/register-token.ts).
  `CREATE TABLE push_registration (account TEXT NOT NULL, at INTEGER NOT NULL)`,
  `CREATE INDEX push_registration_by_account ON push_registration (account, at)`,
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
  // 'new': the bouncer does not know it yet; 'known'; 'gone': removed, and the bouncer must still be notified.
  `CREATE TABLE push_token (
    user_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    token TEXT NOT NULL,
    app_id TEXT,
    state TEXT NOT NULL DEFAULT 'new',
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, kind, token)
  ) WITHOUT ROWID`,
  `CREATE INDEX push_token_untold ON push_token (state) WHERE state <> 'known'`,
  // Messages of which a user with a device is still to be notified. notifiable: JSON, [user id, why, group id]. event_id: a client that has
  // acknowledged it has the message.
  `CREATE TABLE pending_push (
    id INTEGER PRIMARY KEY,
    message_id INTEGER NOT NULL,
    notifiable TEXT NOT NULL,
    origin TEXT NOT NULL,
    event_id INTEGER NOT NULL,
    entered_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0
  )`,
  // Notifications that a user's devices show: JSON, [message id, why], packed so that many that are read together are one row. is_stale: some of
  // them may have been read, or be gone.
  `CREATE TABLE push_shown (
    user_id INTEGER PRIMARY KEY,
    entries TEXT NOT NULL,
    origin TEXT NOT NULL,
    is_stale INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL DEFAULT 0
  )`,
  `CREATE INDEX push_shown_stale ON push_shown (user_id) WHERE is_stale <> 0`,
  // session_id: of the browser's session that registered it and ends it; null where a key did.
  `CREATE TABLE web_push_subscription (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    session_id INTEGER,
    endpoint TEXT NOT NULL UNIQUE,
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    paused_until INTEGER NOT NULL,
    quiet_from TEXT,
    quiet_to TEXT,
    quiet_zone TEXT
  )`,
  `CREATE INDEX web_push_subscription_of_user ON web_push_subscription (user_id)`,
  `CREATE TRIGGER browser_session_ends_web_push AFTER DELETE ON browser_session BEGIN DELETE FROM web_push_subscription WHERE session_id = OLD.id AND user_id = OLD.user_id; END`,
  // Descriptions that pages gave of themselves; image_url NULL: nothing to show.
  `CREATE TABLE seen_website (
    url TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    image_url TEXT,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  // Messages with websites that are still to be looked at.
  `CREATE TABLE preview_request (
    message_id INTEGER PRIMARY KEY,
    sender_id INTEGER NOT NULL,
    origin TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0
  )`,
]
