-- The people and bots of all organizations, so that one query finds a person in any of them and no object has to wake. The organization's
-- object decides: its projection writes a row in the batch of the change, and `npm run verify` compares them
-- (src/model/projection/projected-account.ts). The bots that every organization has for its own notices are not here.
CREATE TABLE account (
  realm_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  full_name TEXT NOT NULL,
  -- 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.
  role INTEGER NOT NULL,
  -- person, generic_bot, incoming_webhook, outgoing_webhook or embedded_bot.
  kind TEXT NOT NULL,
  is_active INTEGER NOT NULL,
  -- UNIX seconds.
  joined_at INTEGER NOT NULL,
  -- A day in UTC, 2026-11-30, written once a day; NULL: not known, or never.
  last_active_on TEXT,
  -- Of a person's confirmed address, with the deployment's key (src/core/address-digest.ts). NULL: there is no such address, or no key.
  email_digest TEXT,
  -- SHA-256 of the API key.
  key_digest TEXT NOT NULL,
  PRIMARY KEY (realm_id, user_id)
) WITHOUT ROWID;

CREATE INDEX account_by_email ON account (email_digest) WHERE email_digest IS NOT NULL;

-- Only to tell "another organization's account" from "no account". Digests of organizations whose objects have not woken since this
-- migration are in api_key_digest, which a later one drops: its rows go as the objects fill `account`.
CREATE INDEX account_by_key ON account (key_digest);

-- is_closed, 1: an owner has closed it. texts: number of its messages, and last_active_on: the day of the newest, as its object has
-- counted them, once a day while anything happens; NULL: not yet.
ALTER TABLE realm ADD COLUMN is_closed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE realm ADD COLUMN texts INTEGER;
ALTER TABLE realm ADD COLUMN last_active_on TEXT;
