/** Step `idempotency` of the schema: first answers of writes with a key, for a day. */
export const IDEMPOTENCY_TABLES: readonly string[] = [
  // day: of UNIX time, so that old rows are next to each other; nth: running number of the user's keys of
  // that day; bytes: of all the user's answers of that day up to this row. key, request, files: digests
  // (domain/idempotency/first-answer.ts); answer: JSON.
  `CREATE TABLE first_answer (
    day INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    nth INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    key TEXT NOT NULL,
    request TEXT NOT NULL,
    files TEXT,
    answer TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (day, user_id, nth)
  ) WITHOUT ROWID`,
  `CREATE INDEX first_answer_by_key ON first_answer (key)`,
  // The sum for the whole organization.
  `CREATE TABLE first_answer_total (
    day INTEGER PRIMARY KEY,
    answers INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  )`,
]
