/**
 * Step `resumable-uploads` of the schema: files that come in chunks
 * (domain/uploads/resumable-upload-rows.ts).
 */
export const RESUMABLE_UPLOAD_TABLES: readonly string[] = [
  // metadata: the header Upload-Metadata; length, received: bytes; expires_at: UNIX seconds.
  `CREATE TABLE resumable_upload (
    id TEXT PRIMARY KEY,
    owner_id INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    length INTEGER NOT NULL,
    received INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    attachment_id INTEGER
  ) WITHOUT ROWID`,
  // place: the directory of the bytes from `start` on, in R2.
  `CREATE TABLE resumable_upload_piece (
    upload_id TEXT NOT NULL,
    start INTEGER NOT NULL,
    size INTEGER NOT NULL,
    place TEXT NOT NULL,
    PRIMARY KEY (upload_id, start)
  ) WITHOUT ROWID`,
]
