-- D1 has the list of organizations, and the large data that their realm objects send here. It has nothing else.

CREATE TABLE realm (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Host name without port, lower case; `localhost` stands for every loopback address.
  host TEXT NOT NULL UNIQUE,
  string_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
);

-- One-time secrets for founding an organization: anybody who can write to this database may found one.
CREATE TABLE organization_ticket (
  digest TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL
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
  rendering_version INTEGER NOT NULL,
  edit_history TEXT NOT NULL DEFAULT '[]',
  PRIMARY KEY (realm_id, message_id)
) WITHOUT ROWID;

-- Digests of API keys, only to tell "another organization's account" from "no account".
CREATE TABLE api_key_digest (
  digest TEXT PRIMARY KEY,
  realm_id INTEGER NOT NULL
) WITHOUT ROWID;
