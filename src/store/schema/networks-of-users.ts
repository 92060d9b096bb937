/** Step `networks-of-users`: how many people log in from a network, and who. */
export const NETWORKS_OF_USERS = [
  // at: UNIX seconds, the last time to a day. Rows are in the order of time, by which they are deleted.
  `CREATE TABLE login_network_user (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    network TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (network, user_id)
  )`,
  `CREATE INDEX login_network_user_by_user ON login_network_user (user_id)`,
]
