/**
 * Step `block-contents` of the schema: contents of blocks of snapshots, so that an isolate that holds none,
 * or an object that wakes, reads one row for each and not everything behind it. A content is deleted with its
 * version: nothing changed is kept.
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
