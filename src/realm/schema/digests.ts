/** Step `digests` of the schema. */
export const DIGEST_STATEMENTS: readonly string[] = [
  // The last digest of an account. round: when those of that week were due; since: start of its period;
  // due_at: when it is to be sent, null once it has been. Times in UNIX seconds.
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
]
