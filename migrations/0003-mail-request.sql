-- When mail was asked for at /find, where no organization's object counts it: once for the address and once for the network that asked, each
-- as a digest with the deployment's key (src/core/address-digest.ts). Rows are deleted when no limit looks back to them any more.
CREATE TABLE mail_request (
  owner TEXT NOT NULL,
  -- UNIX seconds.
  asked_at INTEGER NOT NULL
);

CREATE INDEX mail_request_by_owner ON mail_request (owner, asked_at);
