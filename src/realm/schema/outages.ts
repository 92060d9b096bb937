/** Step `outages` of the schema: what a long outage of D1 leaves behind. */
export const OUTAGE_TABLES: readonly string[] = [
  // The index of a long tail (realm/projection/tail-blocks.ts): for each entry up to this log id and above
  // the block before, its id, the bytes of its writes, and the messages whose bodies it writes. JSON lists in
  // a list.
  `CREATE TABLE tail_block (up_to INTEGER PRIMARY KEY, entries TEXT NOT NULL)`,
  // Entries of the log that D1 refuses (realm/projection/refused-rows.ts). id: of the log; message_ids: those
  // whose bodies it writes; writes: JSON, as in the log.
  `CREATE TABLE refused_entry (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    message_ids TEXT NOT NULL,
    writes TEXT NOT NULL
  )`,
]
