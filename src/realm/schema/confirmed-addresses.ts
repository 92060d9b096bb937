/** Step `confirmed-addresses` of the schema. */
export const CONFIRMED_ADDRESS_STATEMENTS: readonly string[] = [
  // 0: somebody has typed the address, and nobody has opened a link that was mailed there.
  `ALTER TABLE user ADD COLUMN is_email_confirmed INTEGER NOT NULL DEFAULT 1`,
  // Addresses with which people want to join by a link, until they open the link in the mail that was sent there.
  // address: in lower case; email: as it was typed; expires_at: UNIX seconds.
  `CREATE TABLE sign_up (
    address TEXT NOT NULL,
    link_id INTEGER NOT NULL,
    email TEXT NOT NULL,
    secret TEXT NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (address, link_id)
  ) WITHOUT ROWID`,
]
