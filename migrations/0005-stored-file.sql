-- Files of a deployment without a bucket (src/store/d1/files.ts). `upload` and `number`: a part of an unfinished file, which nobody reads.
CREATE TABLE stored_file (
  id TEXT PRIMARY KEY,
  realm_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  size INTEGER NOT NULL,
  -- UNIX seconds.
  stored_at INTEGER NOT NULL,
  upload TEXT,
  number INTEGER
) WITHOUT ROWID;

CREATE UNIQUE INDEX stored_file_by_key ON stored_file (key) WHERE upload IS NULL;
CREATE INDEX stored_file_by_upload ON stored_file (upload) WHERE upload IS NOT NULL;
CREATE INDEX stored_file_by_realm ON stored_file (realm_id);

-- A piece of a file in base64, from the byte `at`: D1 takes and gives binary values as lists of numbers, at many times the work.
CREATE TABLE stored_piece (
  file_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (file_id, at)
) WITHOUT ROWID;

-- The bytes of each organization's files, and of all of them (realm_id 0).
CREATE TABLE stored_space (
  realm_id INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL
);

CREATE TRIGGER stored_file_added AFTER INSERT ON stored_file BEGIN
  INSERT INTO stored_space VALUES (0, new.size), (new.realm_id, new.size)
    ON CONFLICT (realm_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER stored_file_grown AFTER UPDATE OF size ON stored_file BEGIN
  UPDATE stored_space SET bytes = bytes + new.size - old.size WHERE realm_id IN (0, new.realm_id);
END;

CREATE TRIGGER stored_file_removed AFTER DELETE ON stored_file BEGIN
  DELETE FROM stored_piece WHERE file_id = old.id;
  UPDATE stored_space SET bytes = bytes - old.size WHERE realm_id IN (0, old.realm_id);
END;
