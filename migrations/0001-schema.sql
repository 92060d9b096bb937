-- D1 has the list of organizations, and the large data that their realm objects send here. It has nothing else.

CREATE TABLE realm (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Host name without port, lower case; `localhost` stands for every loopback address.
  host TEXT NOT NULL UNIQUE,
  string_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- UNIX seconds after which the organization's data is to be deleted; NULL: never. Its object deletes it; a daily run of the Worker
  -- makes sure of that.
  delete_after INTEGER,
  -- The location that was requested for the object: a hint, which is not needed to find the object again; and a jurisdiction, which is
  -- needed for that. NULL: no location was requested, so the object is near its founder.
  location TEXT,
  jurisdiction TEXT
);

-- One-time secrets for founding an organization: anybody who can write to this database may found one.
CREATE TABLE organization_ticket (
  digest TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  -- A ticket is valid only for an organization at this host. A ticket without a host is not valid at all.
  host TEXT,
  -- Seconds for which it is valid: a set-up link is valid for longer than a ticket that a program uses at once.
  valid_seconds INTEGER NOT NULL DEFAULT 600
);

-- How far each realm's log has been applied. The first statement of every batch moves this number, and fails the batch if
-- the number is not the expected one.
CREATE TABLE projection (
  realm_id INTEGER PRIMARY KEY,
  applied INTEGER NOT NULL
);

-- Message bodies. The realm object has the index of messages, and knows who may see them.
CREATE TABLE message_body (
  realm_id INTEGER NOT NULL,
  message_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  content TEXT NOT NULL,
  rendered_content TEXT NOT NULL,
  edit_history TEXT NOT NULL DEFAULT '[]',
  PRIMARY KEY (realm_id, message_id)
) WITHOUT ROWID;

-- Digests of API keys, only to tell "another organization's account" from "no account".
CREATE TABLE api_key_digest (
  digest TEXT PRIMARY KEY,
  realm_id INTEGER NOT NULL
) WITHOUT ROWID;

-- Trigrams of the messages' source (core/search-text.ts). The text itself is not stored a second time.
-- rowid = realm * 2^32 + message.
CREATE VIRTUAL TABLE message_search USING fts5(
  text, content = '', contentless_delete = 1, tokenize = 'trigram'
);
-- Two parts of the index are enough to be merged on request (src/store/d1/message-search.ts): new text that is written during a
-- large merge must not stop the merge.
INSERT INTO message_search (message_search, rank) VALUES ('usermerge', 2);
-- Nothing is merged in the transaction that deletes: where a tenth of a part of the index was deleted, that took D1 up to 0.7 s, and
-- more work in all than the nightly job (src/store/d1/message-search.ts), which merges what has deletions some pages at a time.
INSERT INTO message_search (message_search, rank) VALUES ('deletemerge', 0);
