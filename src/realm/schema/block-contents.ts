/**
 * Step `block-contents` of the schema: what blocks of snapshots were made of, so that an isolate that holds none, or an object that
 * wakes, reads a row of each and not what it shows. It goes with the version it has: nothing is kept here of what has changed.
 */
export const BLOCK_CONTENT_STATEMENTS: readonly string[] = [
  // One for each family in which a kind of block is shown. `lengths`: bytes of each part, a JSON list.
  `CREATE TABLE snapshot_block_content (
    kind TEXT NOT NULL, number INTEGER NOT NULL, family TEXT NOT NULL, version INTEGER NOT NULL,
    build TEXT NOT NULL, lengths TEXT NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (kind, number, family)
  ) WITHOUT ROWID`,
  `CREATE TRIGGER block_of_content_dropped AFTER DELETE ON snapshot_block BEGIN
     DELETE FROM snapshot_block_content WHERE kind = OLD.kind AND number = OLD.number;
   END`,
]
