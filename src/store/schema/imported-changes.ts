/**
 * What a further import of a source needs to know, and what undoing it takes back. `imported_thing.place` and `marks`: of a message, digests of
 * the topic and of the reactions that the last import has written; of a person or channel, a digest of the name that it has written, and 1 where
 * the account or the channel was closed there. `imported_members`: the accounts that a channel or group had there, by its id there. `import_change`: what an
 * import has changed of things that were here already, as JSON, the later above the earlier.
 */
export const IMPORTED_CHANGES: readonly string[] = [
  `ALTER TABLE imported_thing ADD COLUMN place INTEGER`,
  `ALTER TABLE imported_thing ADD COLUMN marks INTEGER`,
  `CREATE TABLE imported_members (
    source_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    members BLOB NOT NULL,
    PRIMARY KEY (source_id, type, id)
  ) WITHOUT ROWID`,
  `CREATE TABLE import_change (
    import_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    change TEXT NOT NULL,
    PRIMARY KEY (import_id, position)
  ) WITHOUT ROWID`,
]
