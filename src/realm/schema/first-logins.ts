/** Step `first-logins` of the schema. */
export const FIRST_LOGIN_STATEMENTS: readonly string[] = [
  // 1: an administrator has made the account, and nobody has logged in to it yet: its person has not joined. Older accounts have joined.
  `ALTER TABLE user ADD COLUMN awaits_login INTEGER NOT NULL DEFAULT 0`,
]
