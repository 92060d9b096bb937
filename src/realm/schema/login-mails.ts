/** The tables of mail about logins, and of addresses that take no mail: a step of the schema. */
export const LOGIN_MAIL_STATEMENTS: readonly string[] = [
  // The programs with which an account was logged in: a browser or program and its system, in words. at: UNIX
  // seconds, the last time.
  `CREATE TABLE known_program (
    user_id INTEGER NOT NULL, program TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (user_id, program)
  ) WITHOUT ROWID`,
  // An address of an account that permanently takes no mail, by its mail server.
  `CREATE TABLE paused_address (
    user_id INTEGER PRIMARY KEY, address TEXT NOT NULL, since INTEGER NOT NULL, reason TEXT NOT NULL
  )`,
]
