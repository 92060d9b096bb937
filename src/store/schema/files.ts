/** Files, whose bytes are in R2, and exports. */
export const FILE_TABLES: readonly string[] = [
  // path: what follows /user_uploads/ in its address; created_at: UNIX milliseconds. image_*: facts of a picture from its first bytes, NULL for
  // other files; width and height in pixels, as the picture is shown.
  `CREATE TABLE attachment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    owner_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    image_type TEXT,
    image_width INTEGER,
    image_height INTEGER,
    image_animated INTEGER
  )`,
  `CREATE INDEX attachment_by_owner ON attachment (owner_id)`,
  // The messages that link to it decide who may read it.
  `CREATE TABLE attachment_message (
    attachment_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    PRIMARY KEY (attachment_id, message_id)
  ) WITHOUT ROWID`,
  `CREATE INDEX attachment_message_by_message ON attachment_message (message_id)`,
  `CREATE TABLE attachment_scheduled (
    scheduled_id INTEGER NOT NULL,
    attachment_id INTEGER NOT NULL,
    PRIMARY KEY (scheduled_id, attachment_id)
  ) WITHOUT ROWID`,
  `CREATE INDEX attachment_scheduled_by_attachment ON attachment_scheduled (attachment_id)`,
  // Uploads that are deleted after a month. since: UNIX seconds from which no message has linked to the upload, unless one has claimed it again.
  `CREATE TABLE unclaimed_attachment (attachment_id INTEGER PRIMARY KEY, since INTEGER NOT NULL)`,
  // All uploads of a month have a row: without it each turn that deletes some would read all of them.
  `CREATE INDEX unclaimed_attachment_by_time ON unclaimed_attachment (since)`,
  // Orphans in R2: deleted files, and uploads that have only begun.
  `CREATE TABLE file_removal (key TEXT PRIMARY KEY, due_at INTEGER NOT NULL) WITHOUT ROWID`,
  // Files that come in chunks (store/uploads/resumable-upload-rows.ts). metadata: the header Upload-Metadata; length, received: bytes;
  // expires_at: UNIX seconds.
  `CREATE TABLE resumable_upload (
    id TEXT PRIMARY KEY,
    owner_id INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    length INTEGER NOT NULL,
    received INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    attachment_id INTEGER
  ) WITHOUT ROWID`,
  // directory: of the bytes from `start` on, in R2.
  `CREATE TABLE resumable_upload_chunk (
    upload_id TEXT NOT NULL,
    start INTEGER NOT NULL,
    size INTEGER NOT NULL,
    directory TEXT NOT NULL,
    PRIMARY KEY (upload_id, start)
  ) WITHOUT ROWID`,
  // consenting: JSON list of ids at the start; progress: JSON (store/exports/export-rows.ts), null when nothing is left to do; tries: runs
  // since the last progress; size: bytes of the archive.
  `CREATE TABLE realm_export (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type INTEGER NOT NULL,
    acting_user_id INTEGER NOT NULL,
    origin TEXT NOT NULL,
    secret TEXT NOT NULL,
    newest_message_id INTEGER NOT NULL,
    consenting TEXT NOT NULL,
    started_at REAL NOT NULL,
    finished_at REAL,
    failed_at REAL,
    deleted_at REAL,
    progress TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    size INTEGER
  )`,
  // The parts of an unfinished archive, in order: chunks that are stored ready (name is null), and uploads that are still to be wrapped. start,
  // length: bytes in the archive; size: of the object in R2; first_message_id, last_message_id: of the messages in it, null without any.
  `CREATE TABLE realm_export_chunk (
    export_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    start INTEGER NOT NULL,
    length INTEGER NOT NULL,
    key TEXT NOT NULL,
    size INTEGER NOT NULL,
    name TEXT,
    first_message_id INTEGER,
    last_message_id INTEGER,
    PRIMARY KEY (export_id, position)
  ) WITHOUT ROWID`,
  // Messages and files deleted while an archive was being made; message_id 0 for a file alone. has_files: whether the uploads of the archive must be
  // collected again. Rows are deleted as they are removed from the chunks, and with the chunks.
  `CREATE TABLE realm_export_gone (
    export_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    has_files INTEGER NOT NULL,
    PRIMARY KEY (export_id, message_id)
  ) WITHOUT ROWID`,
  // source_id: the first import of the same source (its own id if it is that), null before the archive has named one. progress, report:
  // JSON (store/imports/import-rows.ts); progress is null when nothing is left to do. outcome: finished, cancelled or failed, with the reason
  // in words. tries: runs since the last progress.
  `CREATE TABLE realm_import (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    acting_user_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    archive_path TEXT NOT NULL,
    size INTEGER NOT NULL,
    unpacked_size INTEGER,
    secret TEXT NOT NULL,
    started_at REAL NOT NULL,
    ended_at REAL,
    format TEXT,
    source TEXT,
    source_id INTEGER,
    is_paused INTEGER NOT NULL DEFAULT 0,
    progress TEXT,
    report TEXT NOT NULL,
    outcome TEXT,
    failure TEXT,
    undo_refusal TEXT,
    tries INTEGER NOT NULL DEFAULT 0
  )`,
  // An owner's decisions (JSON, store/imports/import-rows.ts): apart from the row that each commit of the import writes, since it may be long.
  `CREATE TABLE realm_import_mapping (
    import_id INTEGER PRIMARY KEY,
    mapping TEXT NOT NULL
  )`,
  // The chunks of an archive in R2: units (JSON), messages (records as lines, by time), and other records of one type each.
  `CREATE TABLE realm_import_piece (
    import_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    size INTEGER NOT NULL,
    records INTEGER NOT NULL,
    first_time REAL,
    PRIMARY KEY (import_id, position)
  ) WITHOUT ROWID`,
  // A reader's notes while it reads, by the unit in which it was noted and the run of the object that did; and which channels the
  // writer leaves out.
  `CREATE TABLE realm_import_note (
    import_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    unit INTEGER NOT NULL DEFAULT 0,
    run INTEGER NOT NULL DEFAULT 0,
    value TEXT NOT NULL,
    PRIMARY KEY (import_id, key, unit)
  ) WITHOUT ROWID`,
  // People, channels and profile fields that were read: an owner decides what they become. name_key, address: for finding those that clash.
  `CREATE TABLE realm_import_choice (
    import_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    email TEXT,
    address TEXT,
    kind TEXT NOT NULL,
    PRIMARY KEY (import_id, type, id)
  ) WITHOUT ROWID`,
  `CREATE INDEX realm_import_choice_by_name ON realm_import_choice (import_id, type, name_key)`,
  `CREATE INDEX realm_import_choice_by_address ON realm_import_choice (import_id, address) WHERE address IS NOT NULL`,
  `CREATE TABLE realm_import_problem (
    import_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    problem TEXT NOT NULL,
    PRIMARY KEY (import_id, position)
  ) WITHOUT ROWID`,
  // Archives for imports, which come in parts of one size (store/imports/import-upload-rows.ts). owner_id: who has begun it. multipart_id: the
  // upload's id at R2, null before the first part. next_part: the number that the next part gets there, each try another one. is_complete:
  // whether R2 has put it together. expires_at: UNIX seconds, after which it is deleted.
  `CREATE TABLE import_upload (
    id TEXT PRIMARY KEY,
    owner_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    metadata TEXT NOT NULL,
    length INTEGER NOT NULL,
    part_size INTEGER NOT NULL,
    received INTEGER NOT NULL DEFAULT 0,
    multipart_id TEXT,
    next_part INTEGER NOT NULL DEFAULT 1,
    is_complete INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE import_upload_part (
    upload_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    etag TEXT NOT NULL,
    PRIMARY KEY (upload_id, number)
  ) WITHOUT ROWID`,
  // The things here that things of a source have become, by their ids there: a further import of the source passes over them. is_made, 0: it was
  // here already. digest, version, reactions: of messages, what the
  // source had, the version here that has it, and how many reactions it had.
  `CREATE TABLE imported_thing (
    source_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    target_id INTEGER NOT NULL,
    import_id INTEGER NOT NULL,
    is_made INTEGER NOT NULL,
    digest INTEGER,
    version INTEGER,
    reactions INTEGER,
    PRIMARY KEY (source_id, type, id)
  ) WITHOUT ROWID`,
  // Files that are deleted because no message links to them are forgotten.
  `CREATE INDEX imported_thing_by_file ON imported_thing (target_id) WHERE type = 'file'`,
]
