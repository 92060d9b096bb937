/** Step `body-databases` of the schema: bodies in more than one database. */
export const BODY_DATABASE_STATEMENTS: readonly string[] = [
  // For a database beside `DB` (number: the n of BODIES_n) the first message whose body is in it, up to the
  // next one's first; and how far it has the log, like `projected` and `d1_applied` in `meta` for `DB`.
  `CREATE TABLE body_database (
    number INTEGER PRIMARY KEY,
    first_message INTEGER NOT NULL,
    projected INTEGER NOT NULL,
    applied INTEGER
  )`,
  // As before (realm/schema/outages.ts), for each database.
  `ALTER TABLE tail_block RENAME TO tail_block_of_db`,
  `CREATE TABLE tail_block (
    database INTEGER NOT NULL,
    up_to INTEGER NOT NULL,
    entries TEXT NOT NULL,
    PRIMARY KEY (database, up_to)
  ) WITHOUT ROWID`,
  `INSERT INTO tail_block (database, up_to, entries) SELECT 0, up_to, entries FROM tail_block_of_db`,
  `DROP TABLE tail_block_of_db`,
  `ALTER TABLE refused_entry RENAME TO refused_entry_of_db`,
  `CREATE TABLE refused_entry (
    id INTEGER NOT NULL,
    database INTEGER NOT NULL,
    at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    message_ids TEXT NOT NULL,
    writes TEXT NOT NULL,
    PRIMARY KEY (id, database)
  ) WITHOUT ROWID`,
  `INSERT INTO refused_entry (id, database, at, reason, message_ids, writes)
   SELECT id, 0, at, reason, message_ids, writes FROM refused_entry_of_db`,
  `DROP TABLE refused_entry_of_db`,
]
