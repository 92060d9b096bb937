/** Tables of widgets, reminders, views, first steps and failed logins. A part of step 1 of the schema. */
export const EXTRA_TABLES: readonly string[] = [
  // Entries to polls and to-do lists, in order; message_index.bits says which have any.
  `CREATE TABLE submessage (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        message_id INTEGER NOT NULL,
        sender_id INTEGER NOT NULL,
        msg_type TEXT NOT NULL,
        content TEXT NOT NULL
      )`,
  `CREATE INDEX submessage_by_message ON submessage (message_id)`,
  `CREATE TABLE reminder (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL,
        message_id INTEGER NOT NULL,
        content TEXT NOT NULL,
        rendered_content TEXT NOT NULL,
        origin TEXT NOT NULL,
        due_at INTEGER NOT NULL
      )`,
  `CREATE INDEX reminder_by_user ON reminder (user_id)`,
  `CREATE TABLE navigation_view (
        user_id INTEGER NOT NULL,
        fragment TEXT NOT NULL,
        is_pinned INTEGER NOT NULL,
        name TEXT,
        PRIMARY KEY (user_id, fragment)
      ) WITHOUT ROWID`,
  // Hints that a user has seen.
  `CREATE TABLE onboarding_step (
        user_id INTEGER NOT NULL, step TEXT NOT NULL, PRIMARY KEY (user_id, step)
      ) WITHOUT ROWID`,
  // Failures of authentication: kept in storage so that an eviction does not give new attempts.
  `CREATE TABLE login_failure (username TEXT NOT NULL, at INTEGER NOT NULL)`,
  `CREATE INDEX login_failure_by_username ON login_failure (username, at)`,
]
