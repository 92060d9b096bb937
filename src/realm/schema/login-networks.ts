/** Step `login-networks` of the schema. */
export const LOGIN_NETWORK_TABLES: readonly string[] = [
  // Networks from which somebody has logged in; at: UNIX seconds, the last time to a day. Rows are in the
  // order of time.
  `CREATE TABLE login_network (network TEXT NOT NULL UNIQUE, at INTEGER NOT NULL)`,
]
