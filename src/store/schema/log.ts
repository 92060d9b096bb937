/** The log, its readers, jobs, and what is remembered of requests and presence. */
export const LOG_TABLES: readonly string[] = [
  // The log (docs/decisions/design.md#the-log-is-the-only-stream): event ids rise and are never reused; the newest row is never trimmed.
  // previous: id of the row before, 0 for the first, since ids have gaps: so a gap in the log is found (model/verification/check-stores.ts).
  `CREATE TABLE log (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    audience TEXT,
    event TEXT,
    writes TEXT,
    previous INTEGER
  )`,
  // A queue is a cursor on the log, not a copy. acked and seen_at are saved coarsely.
  `CREATE TABLE queue (
    id TEXT PRIMARY KEY,
    user_id INTEGER NOT NULL,
    start_event INTEGER NOT NULL,
    acked_event INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    lifespan INTEGER NOT NULL,
    options TEXT NOT NULL
  ) WITHOUT ROWID`,
  // For a database other than `DB` (number: the n of BODIES_n) the first message whose body is in it, up to the next one's first; and how far it has
  // the log, like `projected` and `d1_applied` in `meta` for `DB`.
  `CREATE TABLE body_database (
    number INTEGER PRIMARY KEY,
    first_message INTEGER NOT NULL,
    projected INTEGER NOT NULL,
    applied INTEGER
  )`,
  // The index of a long tail (store/projection/projection-rows.ts) of a database: for each entry up to this log id and above the block before, its id,
  // the bytes of its writes, and the messages whose bodies it writes. JSON lists in a list.
  `CREATE TABLE tail_block (
    database INTEGER NOT NULL,
    up_to INTEGER NOT NULL,
    entries TEXT NOT NULL,
    PRIMARY KEY (database, up_to)
  ) WITHOUT ROWID`,
  // Entries of the log that D1 refuses (store/projection/projection-rows.ts). id: of the log; message_ids: those whose bodies it writes; writes:
  // JSON, as in the log.
  `CREATE TABLE refused_entry (
    id INTEGER NOT NULL,
    database INTEGER NOT NULL,
    at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    message_ids TEXT NOT NULL,
    writes TEXT NOT NULL,
    PRIMARY KEY (id, database)
  ) WITHOUT ROWID`,
  // is_resting: it has failed, and must not be tried before due_at.
  `CREATE TABLE job (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    is_resting INTEGER NOT NULL DEFAULT 0,
    first_tried_at INTEGER,
    PRIMARY KEY (kind, key)
  ) WITHOUT ROWID`,
  // Most kinds have one job with an empty key, which must not cost a further row.
  `CREATE INDEX job_due ON job (kind, due_at) WHERE key <> ''`,
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
  // First answers of writes with a key, for a day. day: of UNIX time, so that old rows are next to each other; nth: running number of the user's
  // keys of that day; bytes: of all the user's answers of that day up to this row. key, request, files: digests
  // (model/idempotency/first-answer.ts); answer: JSON.
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
  // Presence, packed: JSON list of [user id, active at | null, connected at, update id] for 256 users in a row; saved lazily
  // (model/presence/presence-memory.ts).
  `CREATE TABLE presence_block (block INTEGER PRIMARY KEY, entries TEXT NOT NULL)`,
]
