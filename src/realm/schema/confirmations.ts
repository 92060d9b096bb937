/**
 * Tables behind the links in mail, and for counting mail that people cause. A part of step 1 of the schema.
 */
export const CONFIRMATION_TABLES: readonly string[] = [
  // `email`: the account's address when the link was sent; `new_email`: only of kind email-change.
  `CREATE TABLE confirmation (
    secret TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    email TEXT NOT NULL,
    new_email TEXT,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  // Rows are in the order of time, by which they are deleted.
  `CREATE TABLE mail_request (bucket TEXT NOT NULL, at INTEGER NOT NULL)`,
  `CREATE INDEX mail_request_by_bucket ON mail_request (bucket, at)`,
]
