/** Tables of outgoing work in lanes: a step of the schema. */
export const LANE_STATEMENTS: readonly string[] = [
  // is_resting: it has failed, and must not be tried before due_at.
  `ALTER TABLE job ADD COLUMN is_resting INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE job ADD COLUMN first_tried_at INTEGER`,
  // Most kinds have one job with an empty key, which must not cost a further row.
  `CREATE INDEX job_due ON job (kind, due_at) WHERE key <> ''`,
  `ALTER TABLE email ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE email ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE email ADD COLUMN first_tried_at INTEGER`,
  // New mail goes before mail that has failed.
  `CREATE INDEX email_new ON email (due_at) WHERE sent_at IS NULL AND attempts = 0`,
  `CREATE INDEX email_retried ON email (due_at) WHERE sent_at IS NULL AND attempts > 0`,
  `ALTER TABLE webhook_call ADD COLUMN first_tried_at INTEGER`,
  `CREATE INDEX webhook_call_due ON webhook_call (due_at)`,
  `CREATE INDEX webhook_call_bot ON webhook_call (bot_id)`,
  `ALTER TABLE push_call ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE push_token ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE push_token ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE push_shown ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE push_shown ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0`,
  // Work that has been given up. payload: JSON, all that a retry needs.
  `CREATE TABLE dead_letter (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    description TEXT NOT NULL,
    first_tried_at INTEGER NOT NULL,
    last_tried_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    error TEXT NOT NULL,
    payload TEXT NOT NULL
  )`,
  `CREATE INDEX dead_letter_kind ON dead_letter (kind, id)`,
]
