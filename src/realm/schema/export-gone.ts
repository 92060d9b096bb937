/** Step `gone-from-exports` of the schema. */
export const EXPORT_GONE_STATEMENTS: readonly string[] = [
  // What was deleted while an archive was being made; message_id 0 for a file alone. has_files: whether the
  // uploads of the archive must be collected again. Rows are deleted as they are removed from the chunks, and
  // with the chunks.
  `CREATE TABLE realm_export_gone (
    export_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    has_files INTEGER NOT NULL,
    PRIMARY KEY (export_id, message_id)
  ) WITHOUT ROWID`,
  // First and last id of the messages in it; null without any.
  `ALTER TABLE realm_export_piece ADD COLUMN first_message_id INTEGER`,
  `ALTER TABLE realm_export_piece ADD COLUMN last_message_id INTEGER`,
  // Earlier chunks do not say what is in them.
  `UPDATE realm_export_piece SET first_message_id = 1, last_message_id = ${Number.MAX_SAFE_INTEGER} WHERE name IS NULL`,
]
