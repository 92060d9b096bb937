/** The tables and columns of mail about missed messages, and of mail in HTML: a step of the schema. */
export const MAIL_STATEMENTS: readonly string[] = [
  // Messages about which an account is to get mail: JSON, [message id, why, group id, when (UNIX seconds)],
  // oldest first. batch: the last message of those that are due; null until the first of them is.
  `CREATE TABLE missed_mail (
    user_id INTEGER PRIMARY KEY,
    entries TEXT NOT NULL,
    origin TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    batch INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    first_tried_at INTEGER
  )`,
  `CREATE INDEX missed_mail_due ON missed_mail (due_at)`,
  // A message that mentions so many that they are entered in several turns. called: JSON, [user id, why,
  // group id].
  `CREATE TABLE missed_wave (
    message_id INTEGER PRIMARY KEY,
    called TEXT NOT NULL,
    origin TEXT NOT NULL,
    called_at INTEGER NOT NULL
  )`,
  // Few want mail of all messages of a channel: a send reads only those.
  `CREATE INDEX subscription_mailed ON subscription (channel_id) WHERE email_notifications = 1`,
  `CREATE INDEX user_mailed ON user (id) WHERE json_extract(settings, '$.enable_stream_email_notifications') = 1`,
  // `body` has the text. headers: JSON, those beside every mail's.
  `ALTER TABLE email ADD COLUMN html TEXT`,
  `ALTER TABLE email ADD COLUMN headers TEXT`,
]

/** Step `missed-mail-order` of the schema: an index by which rows that have not failed go first. */
export const MISSED_MAIL_ORDER_STATEMENTS: readonly string[] = [
  `DROP INDEX missed_mail_due`,
  `CREATE INDEX missed_mail_new ON missed_mail (due_at) WHERE attempts = 0`,
  `CREATE INDEX missed_mail_retried ON missed_mail (due_at) WHERE attempts > 0`,
]
